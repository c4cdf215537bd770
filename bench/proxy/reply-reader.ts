/** A reply; the body is present only on request. */
export interface WireReply {
  readonly status: number;
  readonly body?: Buffer;
  /** True if the server announced that it closes the connection. */
  readonly closes: boolean;
}

interface Head {
  readonly status: number;
  /** Undefined for a body in chunks. */
  readonly length: number | undefined;
  readonly closes: boolean;
}

/**
 * Parses the replies of a connection with one request at a time. It parses as little as possible, because the
 * load generator shares a processor with the upstream.
 */
export class ReplyReader {
  /** True keeps the body of the next reply. */
  keeps = false;
  readonly #onReply: (reply: WireReply) => void;
  #begun: Buffer | undefined;
  #head: Head | undefined;
  #missing = 0;
  #tail = '';
  #kept: Buffer[] = [];

  constructor(onReply: (reply: WireReply) => void) {
    this.#onReply = onReply;
  }

  /** Processes received bytes. */
  take(chunk: Buffer): void {
    if (this.#head) {
      this.#takeBody(this.#head, chunk);
      return;
    }
    const bytes = this.#begun ? Buffer.concat([this.#begun, chunk]) : chunk;
    const end = bytes.indexOf('\r\n\r\n');
    this.#begun = end < 0 ? bytes : undefined;
    if (end < 0) return;
    const head = headOf(bytes.toString('latin1', 0, end));
    this.#head = head;
    this.#missing = head.length ?? 0;
    this.#takeBody(head, bytes.subarray(end + 4));
  }

  #takeBody(head: Head, bytes: Buffer): void {
    if (this.keeps) this.#kept.push(bytes);
    if (!this.#isWhole(head, bytes)) return;
    const { status, closes } = head;
    const reply = this.keeps ? { status, closes, body: bodyOf(head, this.#kept) } : { status, closes };
    this.#head = undefined;
    this.#tail = '';
    this.#kept = [];
    this.#onReply(reply);
  }

  #isWhole({ length }: Head, bytes: Buffer): boolean {
    this.#missing -= bytes.length;
    if (length !== undefined) return this.#missing <= 0;
    // In these bodies, only the last chunk ends like this.
    this.#tail = (this.#tail + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(-5);
    return this.#tail === '0\r\n\r\n';
  }
}

function headOf(text: string): Head {
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  return {
    status: Number(text.slice(9, 12)),
    length: length === undefined ? undefined : Number(length),
    closes: /\r\nconnection: *close/i.test(text),
  };
}

function bodyOf({ length }: Head, kept: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(kept);
  return length === undefined ? joinChunks(bytes) : bytes;
}

/** Returns the body of these chunks. */
function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + size + 4;
  }
  return Buffer.concat(parts);
}
