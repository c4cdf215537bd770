import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { noteReply } from './documented-replies.js';
import { keepOutput } from './leak-scan.js';
import { parsedJson } from './parsed-json.js';

export interface CallOptions {
  readonly method?: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Body that is sent unchanged; its media type comes from `headers` only. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body when it is JSON, else `undefined`. */
  readonly json: unknown;
}

/**
 * Sends one request to gatehouse as a client does, by default with POST. Asserts that the reply matches the
 * API description.
 */
export async function callUrl(url: string, options: CallOptions = {}): Promise<CallResult> {
  const { method = 'POST', token, body, headers, text: raw = null } = options;
  const reply = await request(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? raw : JSON.stringify(body),
  });
  const text = decoded(Buffer.from(await reply.body.arrayBuffer()), reply.headers['content-encoding']);
  keepOutput('replies', `${JSON.stringify(reply.headers)}\n${text}\n`);
  noteReply({ method, url, status: reply.statusCode, headers: reply.headers, text });
  return { status: reply.statusCode, headers: reply.headers, text, json: parsedJson(text) };
}

/** Returns the text of a body, which is compressed only for a test that accepts that. */
function decoded(bytes: Buffer, coding: string | string[] | undefined): string {
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
