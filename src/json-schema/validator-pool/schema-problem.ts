import { Problem, type RequestError } from '../../core/problem.js';

/** Longest place in the text of a Problem, in characters; the list of errors has the whole. */
const SHOWN = 128;

/** Most errors of one Problem. */
const LIMIT = 100;

/** A Problem that tells where; its text names the first place, for clients that show no more than that. */
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

/** Longest pointer of an error: a name may be as long as a whole document, and stand in each of a hundred errors. */
const POINTER_LENGTH = 1024;

/** A text that is cut where it is too long. */
export function shortened(text: string, length = POINTER_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
