import type { OutboundRequest } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { parseJson } from '../../src/json/strict-json.js';
import type { GenericRequest } from './messages.js';

/**
 * Converts a request to the arguments of `genericAdapterRequest`. Throws `invalid_path` for a path that an
 * adapter would silently change. The adapter splits a path into segments, encodes each (if `encodes`), and
 * drops empty segments.
 */
export function genericRequest(request: OutboundRequest, encodes: boolean): GenericRequest {
  const { method, headers, body } = request;
  const [path = '', ...query] = request.path.split('?');
  if (body && FORM.test(headers['content-type'] ?? '')) throw formRefusal();
  const parsed = body && parseJson(body);
  if (parsed && 'fault' in parsed) throw new Problem('invalid_json', `the body ${parsed.fault.message}`);
  return {
    path: `/${segmentsOf(path, encodes).join('/')}`,
    method,
    query: queryOf(query.join('?')),
    ...(parsed && { body: parsed.value }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalized(name), value])),
  };
}

const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

function formRefusal(): Problem {
  const message = 'must be a JSON type, because this kind of adapter sends every body as JSON';
  return new Problem('invalid_request', `/params/contentType ${message}.`, {
    errors: [{ pointer: '/params/contentType', message }],
  });
}

function segmentsOf(path: string, encodes: boolean): readonly string[] {
  const segments = path.split('/').slice(1);
  if (segments.length === 1 && segments[0] === '') return [];
  return segments.map((written) => segmentOf(written, encodes));
}

// Segments that an adapter sends unchanged if it does not encode.
const RAW_SEGMENT = /^[A-Za-z0-9\-._~!&'()*+,;=:@%]+$/;

function segmentOf(written: string, encodes: boolean): string {
  const segment = decoded(written);
  if (segment === '') throw refusal('it has an empty segment, which this kind of adapter drops');
  if (segment === '.' || segment === '..') throw refusal('it has a dot segment');
  if (/[/\\\u0000-\u001f\u007f]/.test(segment))
    throw refusal('a segment holds an encoded slash, a backslash or a control character');
  if (encodes) return segment;
  if (!RAW_SEGMENT.test(written)) throw refusal('a segment holds a character that must be percent-encoded');
  return written;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw refusal('it has a malformed percent-encoding');
  }
}

function queryOf(text: string): GenericRequest['query'] {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') throw refusal(`its query has no value for "${name}", which this kind of adapter drops`);
    query.set(name, [...(query.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...query].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
}

function refusal(why: string): Problem {
  return new Problem('invalid_path', `the adapter cannot request this path: ${why}`);
}

/** Returns a header name in the capitalization of the adapters, so that no header is sent twice. */
function capitalized(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
