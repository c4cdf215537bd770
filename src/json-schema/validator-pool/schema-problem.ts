import { Problem, type RequestError } from '../../core/problem.js';

/**
 * Maximum length of a place in the text of a Problem, in characters. The list of errors has the longer form.
 */
const SHOWN = 128;

/** Maximum number of errors in one Problem. */
const LIMIT = 100;

/**
 * Creates a Problem with the places of its errors. The text names the first place, for clients that only show
 * the text.
 */
export function schemaProblem(
  code: 'invalid_json' | 'invalid_request' | 'schema_invalid' | 'schema_too_costly',
  errors: readonly [RequestError, ...RequestError[]],
): Problem {
  const [{ pointer, message }, ...others] = errors;
  const place = shortened(pointer, SHOWN);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const detail = `${pointer === '' ? 'The body' : place} ${message}${more}.`;
  const reported = errors.slice(0, LIMIT).map((error) => ({ ...error, pointer: shortened(error.pointer) }));
  return new Problem(code, detail, { errors: reported });
}

/**
 * Maximum length of an error's pointer. A name may be as long as a whole document, and appear in each of a
 * hundred errors.
 */
const POINTER_LENGTH = 1024;

/** Truncates a text that is too long. */
export function shortened(text: string, length = POINTER_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
