import type { Socket } from 'node:net';

/** Code for a connection that a policy ends (RFC 6455 section 7.4.1). */
const POLICY_VIOLATION = 1008;

/** Maximum length of a header of a frame, in bytes. */
const MAX_HEADER_LENGTH = 14;

/** Follows the frames of a WebSocket by their headers (RFC 6455 section 5.2), because a frame must not begin within another. */
export class FrameTracker {
  readonly #header = Buffer.alloc(MAX_HEADER_LENGTH);
  #headerLength = 0;
  #payloadLeft = 0;

  /** Returns true if the bytes so far end with a whole frame. */
  get isBetweenFrames(): boolean {
    return this.#headerLength === 0 && this.#payloadLeft === 0;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(this.#payloadLeft, bytes.length - at);
      this.#payloadLeft -= skipped;
      at += skipped;
      if (at < bytes.length) {
        this.#pushHeader(bytes[at] ?? 0);
        at += 1;
      }
    }
  }

  #pushHeader(byte: number): void {
    const header = this.#header;
    header[this.#headerLength] = byte;
    this.#headerLength += 1;
    if (this.#headerLength < 2) return;
    const second = header[1] ?? 0;
    const length = second & 0x7f;
    const lengthBytes = length === 126 ? 2 : length === 127 ? 8 : 0;
    const maskBytes = second >= 0x80 ? 4 : 0;
    if (this.#headerLength < 2 + lengthBytes + maskBytes) return;
    if (lengthBytes === 0) this.#payloadLeft = length;
    else if (lengthBytes === 2) this.#payloadLeft = header.readUInt16BE(2);
    else this.#payloadLeft = Number(header.readBigUInt64BE(2));
    this.#headerLength = 0;
  }
}

/** Returns the frame that closes a WebSocket with a policy violation. The reason has at most 123 ASCII characters. */
export function policyCloseFrame(reason: string): Buffer {
  const payload = Buffer.alloc(2 + reason.length);
  payload.writeUInt16BE(POLICY_VIOLATION);
  payload.write(reason, 2, 'latin1');
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
}

/**
 * Sends a last frame, and closes the connection when the client has closed its side, or after `lingerMs`. Discards what the client
 * sends meanwhile, because unread bytes would reset the connection before the client has read the frame.
 */
export function closeWithFrame(socket: Socket, frame: Buffer, lingerMs: number): Promise<void> {
  return new Promise((resolve) => {
    const destroy = (): void => {
      socket.destroy();
    };
    const timer = setTimeout(destroy, lingerMs);
    socket.once('end', destroy).once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.resume().end(frame);
    if (socket.destroyed) {
      clearTimeout(timer);
      resolve();
    }
  });
}
