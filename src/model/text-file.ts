/** A file as it was read. */
export interface TextFile {
  /** What messages call it. */
  name: string;
  text: string;
}
