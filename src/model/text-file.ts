export interface TextFile {
  /** Its name in messages. */
  name: string;
  text: string;
}
