import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const DAYS = 30;
const DAY_MILLISECONDS = 86_400_000;

/** Lets a browser in: once with the token of the printed address, from then on with the cookie that it got for it. */
export class Door {
  readonly cookie: string;
  readonly max_age = (DAYS * DAY_MILLISECONDS) / 1000;
  readonly #key: Uint8Array;
  /** Resolves when a browser has come in with the token. */
  readonly entered: Promise<void>;
  #tellEntered: () => void = () => {};
  #token: string | undefined = randomBytes(32).toString("base64url");

  /** The port is part of the cookie's name: browsers give cookies to every port of a host. */
  constructor(key: Uint8Array, port: number) {
    this.#key = key;
    this.cookie = `e8_${port}`;
    this.entered = new Promise((resolve) => {
      this.#tellEntered = resolve;
    });
  }

  /** Empty once it was used. */
  get token(): string {
    return this.#token ?? "";
  }

  /** A cookie's value in exchange for the token, which works once. */
  enter(token: string, now: Date): string | undefined {
    if (this.#token === undefined || !isSame(token, this.#token)) return undefined;
    this.#token = undefined;
    this.#tellEntered();
    const expires = String(now.getTime() + DAYS * DAY_MILLISECONDS);
    return `${expires}.${this.#signature(expires)}`;
  }

  isKnown(value: string | undefined, now: Date): boolean {
    const [expires = "", signature = ""] = (value ?? "").split(".");
    return isSame(signature, this.#signature(expires)) && Number(expires) > now.getTime();
  }

  #signature(expires: string): string {
    return createHmac("sha256", this.#key).update(`${this.cookie} ${expires}`).digest("base64url");
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
