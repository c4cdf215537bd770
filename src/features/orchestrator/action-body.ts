import { mediaTypeOf } from '../../core/header.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { parseExactJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the bytes of an action's body: a form (WHATWG URL Standard) if the media type is a form, otherwise JSON, as the
 * caller wrote it if `text` is given: an orchestrator may distinguish `1.0` from `1`.
 * Undefined for `{}`, because clients of the platform must always send a body (wire 3.1). Throws `invalid_request` for a
 * body that a form cannot carry.
 */
export function actionBody(
  body: Readonly<Record<string, unknown>>,
  contentType: string | undefined,
  text?: string,
): Buffer | undefined {
  const isForm = mediaTypeOf(contentType) === FORM;
  if (Object.keys(body).length > 0) {
    if (!isForm) return Buffer.from(text ?? jsonText(body));
    return Buffer.from(formOf(text === undefined ? body : fieldsOf(text)));
  }
  // A body of very many values is only text.
  if (text === undefined || /^\{\s*\}$/.test(text)) return undefined;
  if (isForm) throw new Problem('invalid_request', '/body has too many values to be a form.');
  return Buffer.from(text);
}

/** Returns the members of a body with all digits of their whole numbers. Throws `invalid_request` for another number that would lose digits. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseExactJson(Buffer.from(text));
  if ('value' in parsed) return objectOf(parsed.value);
  const { pointer, message } = parsed.fault;
  throw new Problem('invalid_request', `/body${pointer} ${message}.`, {
    errors: [{ pointer: `/body${pointer}`, message }],
  });
}

/** Returns the members as fields; a list repeats its field. */
function formOf(body: Readonly<Record<string, unknown>>): string {
  const form = new URLSearchParams();
  const errors: RequestError[] = [];
  for (const [name, value] of Object.entries(body)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every(isScalar)) errors.push(notScalar(name));
    else for (const item of values) form.append(name, String(item));
  }
  const [error] = errors;
  if (!error) return form.toString();
  throw new Problem('invalid_request', `${error.pointer} ${error.message}.`, {
    errors,
    advice: 'Send only fields that a form can carry, or send the body as JSON.',
  });
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function notScalar(name: string): RequestError {
  return {
    pointer: pointerTo('/body', name),
    message: 'must be a text, a number, true or false, or a list of these, to be a field of a form',
  };
}
