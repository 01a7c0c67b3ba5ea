import { z } from "zod";
import type { Message, Statement } from "./message.ts";

/** A message in a record. A later version may have written an unknown code, which is shown unchanged. */
export const MessageRecord = z.object({
  code: z.string(),
  params: z.record(z.string(), z.unknown()),
}) as unknown as z.ZodType<Message>;

export const StatementRecord: z.ZodType<Statement> = z.union([z.string(), MessageRecord]);
