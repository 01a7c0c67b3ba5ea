import { z } from "zod";
import type { Message, Statement } from "./message.ts";

/** As read from a record. A later version may have written a code that this one does not know; it is shown as it is. */
export const MessageRecord = z.object({
  code: z.string(),
  params: z.record(z.string(), z.unknown()),
}) as unknown as z.ZodType<Message>;

export const StatementRecord: z.ZodType<Statement> = z.union([z.string(), MessageRecord]);
