import { WordedError } from "../../../model/statement.ts";
import { ProxyRefusal, wayTo } from "./way.ts";

/** More than any answer holds. A server that never stops sending must not fill our memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * A `fetch` for answers that take as long as they take: Node's own gives up after five minutes without a header, and a model
 * that answers in one piece is silent for longer than that. It follows no redirect, so a key goes nowhere but where it was meant
 * to go. `heard` is called with every piece that arrives.
 */
export function patientFetch(heard: () => void, proxy?: URL): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const way = await wayTo(url, proxy, init?.signal ?? undefined);
    return await new Promise((resolve, reject) => {
      const sent = way({
        method: init?.method ?? "GET",
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(init?.signal && { signal: init.signal }),
      });
      sent.on("error", reject);
      const hangUp = () => reject(new Hangup());
      sent.on("close", hangUp); // all that comes of some connections, and not even an error
      sent.on("response", (response) => {
        sent.off("close", hangUp);
        heard();
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          heard();
          pieces.push(piece);
          bytes += piece.length;
          if (bytes > LARGEST_BYTES) sent.destroy(new TooLarge());
        });
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode = 502, headers } = response;
          if (proxy && statusCode === 407) return reject(new ProxyRefusal(proxy, url, statusCode));
          resolve(
            new Response(NO_BODY.includes(statusCode) ? null : Buffer.concat(pieces), initOf(statusCode, headers)),
          );
        });
      });
      sent.end(typeof init?.body === "string" ? init.body : undefined);
    });
  };
}

export class TooLarge extends WordedError {
  constructor() {
    const size = `${LARGEST_BYTES / 1024 / 1024} MB`;
    super({ en: `the answer is larger than ${size}`, ja: `回答が ${size} を超えています` });
  }
}

class Hangup extends WordedError {
  readonly code = "ECONNRESET";

  constructor() {
    super({ en: "the connection was closed without an answer", ja: "回答のないまま接続が閉じられました" });
  }
}

const NO_BODY = [204, 205, 304];

function initOf(status: number, headers: NodeJS.Dict<string | string[]>): ResponseInit {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return { status: status >= 200 && status <= 599 ? status : 502, headers: pairs };
}
