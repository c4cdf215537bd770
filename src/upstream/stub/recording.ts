import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { UpstreamReply } from '../../core/adapter.js';
import { valueAt } from '../../core/pointer.js';
import type { BaseUrl } from '../target.js';

/**
 * A recorded reply as stored in its file. People may write recordings by hand, with `json` instead of `body`.
 */
export interface Recording {
  /** For people only; the file name determines which call a reply belongs to. */
  readonly request: { readonly method: string; readonly path: string };
  readonly reply: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly json?: unknown;
  };
}

/** Maximum length of the readable part of a file name, in characters. */
const SLUG = 60;

/**
 * Returns the file for a request's reply: in the recordings folder, a folder for the host and a name with the
 * method, the path, and a hash of method, path and query. The request body is ignored; the path must not
 * contain secrets.
 */
export function recordingFile(folder: string, base: BaseUrl, { method, path }: Recording['request']): string {
  const host = base.origin.replace(/^https?:\/\//, '').replaceAll(/[^A-Za-z0-9.-]/g, '_');
  const place = base.path + path;
  const slug = (place.split('?', 1)[0] ?? '').replaceAll(/[^A-Za-z0-9-]+/g, '_').replace(/^_/, '');
  const hash = createHash('sha256').update(`${method} ${place}`).digest('hex').slice(0, 12);
  return join(folder, host, `${method}_${slug.slice(0, SLUG)}_${hash}.json`);
}

/** Parses the reply of a recording. Throws an `Error` that describes the fault. */
export function parseRecording(text: string): UpstreamReply {
  const document = JSON.parse(text) as unknown;
  const status = valueAt(document, '/reply/status');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new Error('it has no "reply" with a "status" from 200 to 599');
  const body = valueAt(document, '/reply/body');
  const json = valueAt(document, '/reply/json');
  const isJson = typeof body !== 'string' && json !== undefined;
  return {
    status,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...headersOf(valueAt(document, '/reply/headers')),
    },
    body: Buffer.from(isJson ? JSON.stringify(json) : typeof body === 'string' ? body : ''),
  };
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(headers ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value as string]));
}
