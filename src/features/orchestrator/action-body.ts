import { mediaTypeOf } from '../../core/header.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { pointerTo } from '../../json/pointer.js';

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
  if (Object.keys(body).length === 0) return undefined;
  return Buffer.from(mediaTypeOf(contentType) === FORM ? formOf(body) : (text ?? JSON.stringify(body)));
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
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function notScalar(name: string): RequestError {
  return {
    pointer: pointerTo('/body', name),
    message: 'must be a text, a number, true or false, or a list of these, to be a field of a form',
  };
}
