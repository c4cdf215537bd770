import { request } from 'undici';
import { keepOutput } from './sweep.js';

export interface CallOptions {
  readonly method?: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body when it is JSON, else `undefined`. */
  readonly json: unknown;
}

/** One request to gatehouse, as a client would make it. POST unless told. */
export async function callUrl(url: string, options: CallOptions = {}): Promise<CallResult> {
  const { method = 'POST', token, body, headers } = options;
  const reply = await request(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await reply.body.text();
  keepOutput('replies', `${JSON.stringify(reply.headers)}\n${text}\n`);
  return { status: reply.statusCode, headers: reply.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
