import { isJsonObject } from '../../src/json/json-object.js';
import { isJsonText } from '../../src/json/json-text.js';
import { valueAt } from '../../src/json/pointer.js';
import type { GenericBody, GenericOutcome } from './messages.js';
import { hasUnsafeInteger, originalText } from './original-text.js';
import { withoutRequest } from './without-request.js';

/** Converts the two arguments of an adapter's callback to one message that can be sent between threads. */
export function outcomeOf(result: unknown, error: unknown): GenericOutcome {
  try {
    return readOutcome(result, error);
  } catch {
    // For example, a circular result.
    return { kind: 'error', icode: 'AD.999', message: 'the adapter gave a result that is not JSON' };
  }
}

function readOutcome(result: unknown, error: unknown): GenericOutcome {
  if (error !== undefined && error !== null) return failureOf(error);
  const headers = valueAt(result, '/headers');
  return {
    kind: 'response',
    icode: textAt(result, '/icode') ?? 'AD.200',
    headers: typeof headers === 'object' && headers !== null ? cloneable(headers) : {},
    body: bodyOf(valueAt(result, '/response'), headers, valueAt(result, '/raw')) ?? NO_BODY,
  };
}

function failureOf(error: unknown): GenericOutcome {
  const code = statusIn(error);
  const raw = valueAt(error, '/IAPerror/raw_response/response');
  const body = bodyOf(errorBody(valueAt(error, '/response')) ?? raw, undefined, raw);
  const reason = textAt(error, '/IAPerror/displayString') ?? textAt(error, '/message');
  return {
    kind: 'error',
    icode: textAt(error, '/icode') ?? 'AD.999',
    message: reason ?? (typeof error === 'string' ? error : 'the adapter gave no reason'),
    ...(code !== undefined && { code }),
    ...(body && { body }),
  };
}

/** Returns the body of an error without the request of the adapter, if the body is a reply of the library that repeats it. */
function errorBody(response: unknown): unknown {
  return isJsonObject(response) && 'reqHdr' in response ? withoutRequest(response) : response;
}

function statusIn(error: unknown): number | undefined {
  const code = valueAt(error, '/IAPerror/code');
  return /^-?\d+$/.test(String(code)) ? Number(code) : undefined;
}

const NO_BODY: GenericBody = { text: '', isJson: false };

/**
 * Returns the body of a response: the text `raw` of the orchestrator if the adapter returns it unchanged. A text is JSON only if
 * the orchestrator declared it and sent it, because an adapter returns parsed JSON, plain text and JSON that it cannot parse
 * alike.
 */
function bodyOf(response: unknown, headers: unknown, raw: unknown): GenericBody | undefined {
  if (response === undefined || response === null) return undefined;
  const original = originalText(raw, response);
  if (original !== undefined) return { text: original, isJson: true };
  if (typeof response !== 'string')
    return {
      text: JSON.stringify(response),
      isJson: true,
      ...(hasUnsafeInteger(response) && { isRounded: true }),
    };
  if (!/[/+]json\b/i.test(textAt(headers, '/content-type') ?? '')) return { text: response, isJson: false };
  if (isUnparsed(response, headers)) return { text: response, isJson: isJsonText(Buffer.from(response)) };
  return { text: JSON.stringify(response), isJson: true };
}

/**
 * Returns true if a text is a reply that the adapter could not parse, instead of the content of a JSON string. Such a
 * string is at least two bytes shorter than its JSON. Without the length of the reply, the first character decides.
 */
function isUnparsed(text: string, headers: unknown): boolean {
  const length = textAt(headers, '/content-length');
  const isEncoded = textAt(headers, '/content-encoding') !== undefined;
  if (length !== undefined && !isEncoded) return Number(length) === Buffer.byteLength(text);
  return /^\s*[[{]/.test(text) && !isJsonText(Buffer.from(text));
}

function textAt(value: unknown, pointer: string): string | undefined {
  const text = valueAt(value, pointer);
  return typeof text === 'string' ? text : undefined;
}

/** Returns a copy without functions and other values that cannot be sent between threads. */
function cloneable(headers: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(headers)) as Readonly<Record<string, unknown>>;
}

/**
 * Refuses a path with more segments than the adapter supports. The adapter would drop them and request
 * another path.
 */
export function refusedPath(path: string, depth: number): GenericOutcome | undefined {
  const segments = path.split('/').filter((segment) => segment !== '').length;
  if (segments <= depth) return undefined;
  return { kind: 'refused', message: `this adapter can request paths of at most ${depth} segments` };
}
