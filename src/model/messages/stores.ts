/** What stores say: of locks, of files that changed. */
export interface StoreMessages {
  process_on_host: { pid: number; host: string };
  records_changed: object;
  records_directory_gone: object;
  records_deleted: object;
  records_replaced: object;
  records_shortened: object;
  store_url_not_postgres: object;
  store_url_broken: object;
  store_schema_unfit: { schema: string };
  store_lease_unfit: { lease: string };
  store_sslcert_unfit: object;
  store_sslmode_unfit: { mode: string; known: string };
}
