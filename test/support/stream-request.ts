import { Readable } from 'node:stream';
import type { HeaderLines, StreamReply, StreamRequest } from '../../src/core/stream.js';

export interface StreamRequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: HeaderLines;
  /** Sent with its length. */
  readonly text?: string;
  /** Sent in chunks. */
  readonly chunks?: readonly string[];
  readonly isUpgrade?: boolean;
}

/** Creates a request as the HTTP server passes it on. */
export function streamRequest(options: StreamRequestOptions = {}): StreamRequest {
  const { method = 'GET', path = '/x', headers = [], text, chunks, isUpgrade = false } = options;
  const length = text === undefined ? {} : { length: Buffer.byteLength(text) };
  const pieces = chunks ?? (text === undefined ? undefined : [text]);
  return {
    requestId: 'r-1',
    method,
    path,
    headers,
    isUpgrade,
    mount: '/proxy/core1',
    origin: { address: '192.0.2.7', scheme: 'https', host: 'gatehouse.test' },
    ...(pieces && { body: { ...length, take: () => Readable.from(pieces.map((one) => Buffer.from(one))) } }),
  };
}

/** The body of a reply as text. */
export async function bodyOf({ body }: StreamReply): Promise<string> {
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
}
