/** What stores say: of locks, of files that changed. */
export interface StoreMessages {
  process_on_host: { pid: number; host: string };
  records_changed: object;
  records_directory_gone: object;
  records_deleted: object;
  records_replaced: object;
  records_shortened: object;
}
