import type { Environment } from "../../../model/environment.ts";
import { fetchThrough } from "../../fetch.ts";

/** Larger than any answer. A server that never stops sending must not fill our memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** A `fetch` without a time limit. It calls `heard` for every piece that arrives. */
export function patientFetch(heard: () => void, environment: Environment): typeof fetch {
  return async (input, init) => {
    const response = await fetchThrough(environment, input instanceof Request ? input.url : input, init);
    heard();
    const body = response.body && Buffer.concat(await piecesOf(response.body, heard));
    const { status, statusText } = response;
    const headers = [...response.headers].filter(([name]) => name !== "content-encoding"); // it was decoded on the way
    return new Response(body, { status, statusText, headers });
  };
}

async function piecesOf(body: ReadableStream<Uint8Array>, heard: () => void): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    heard();
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > LARGEST_BYTES) throw new TooLarge();
  }
  return pieces;
}

export class TooLarge extends Error {
  readonly megabytes = LARGEST_BYTES / 1024 / 1024;
}
