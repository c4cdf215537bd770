import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';

const messages = textOf('rest');

/** Input of the composer: texts as typed. */
export interface Draft {
  readonly verb: string;
  readonly uri: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
  /** A JSON object, or empty. */
  readonly body: string;
  readonly user: string;
  readonly password: string;
  readonly responseHeaders: boolean;
}

/** An empty composer. */
export const EMPTY_DRAFT: Draft = {
  verb: 'GET',
  uri: '',
  headers: '',
  body: '',
  user: '',
  password: '',
  responseHeaders: true,
};

/** Body of `POST /tools/restCall`. */
export interface RestCallBody {
  readonly uri: string;
  readonly verb: string;
  readonly responseHeaders: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly user?: string;
  readonly password?: string;
}

/** The errors of a draft, by field. */
export type DraftFaults = Partial<Record<'uri' | 'headers' | 'body', string>>;

/** Returns the request body, or the faults of the draft. */
export function readDraft(draft: Draft): { readonly body: RestCallBody } | { readonly faults: DraftFaults } {
  const headers = readHeaders(draft.headers);
  const json = readBody(draft.body);
  const faults: DraftFaults = {
    ...(draft.uri.trim() === '' && { uri: messages('uri.missing') }),
    ...('fault' in headers && { headers: headers.fault }),
    ...('fault' in json && { body: json.fault }),
  };
  if ('fault' in headers || 'fault' in json || Object.keys(faults).length > 0) return { faults };
  return {
    body: {
      uri: draft.uri.trim(),
      verb: draft.verb,
      responseHeaders: draft.responseHeaders,
      ...(Object.keys(headers.value).length > 0 && { headers: headers.value }),
      ...(json.value !== undefined && { body: json.value }),
      ...(draft.user !== '' && { user: draft.user }),
      ...(draft.password !== '' && { password: draft.password }),
    },
  };
}

type ParseResult<Value> = { readonly value: Value } | { readonly fault: string };

/** Parses lines of `Name: value`; reports the first invalid line. */
function readHeaders(text: string): ParseResult<Readonly<Record<string, string>>> {
  const entries: [string, string][] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) return { fault: messages('headers.fault', { line: at + 1 }) };
    entries.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return { value: Object.fromEntries(entries) };
}

function readBody(text: string): ParseResult<unknown> {
  if (text.trim() === '') return { value: undefined };
  const fault = faultOfObject(text);
  return fault === undefined ? { value: JSON.parse(text) as unknown } : { fault };
}
