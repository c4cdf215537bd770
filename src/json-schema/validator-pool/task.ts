import type { ProblemCode } from '../../core/problem-codes.js';
import { andMoreErrors, Problem, type RequestError } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import type { SchemaValidationResult } from './schema-validator.js';

/** Task for a worker thread. Data from the caller is passed as bytes, so that only the worker parses it. */
export type Task =
  | { readonly kind: 'validateData'; readonly body: Uint8Array }
  | { readonly kind: 'validateForm'; readonly form: Uint8Array; readonly body: Uint8Array }
  | { readonly kind: 'decode'; readonly body: Uint8Array; readonly bodySchema: JsonSchema };

/** Result of a task, as the worker posts it. */
export type TaskResult =
  | {
      readonly validation: SchemaValidationResult;
      /** Steps that compiling the schema of the form took; absent if the main thread cannot apply the schema. */
      readonly compileSteps?: number;
    }
  | { readonly json: Uint8Array }
  | { readonly problem: TaskProblem }
  /** Stack trace of an unexpected error, for the log. */
  | { readonly internalError: string };

/** Problem in the form that is passed between threads. */
interface TaskProblem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly RequestError[];
}

/** Initial data of a worker thread. */
export interface WorkerSettings {
  /** Schemas that callers' schemas may refer to, by URI. */
  readonly registry: Readonly<Record<string, unknown>>;
}

/**
 * Maximum length of a pointer in the `detail` of a Problem, in characters. The list of errors has a longer
 * form of the pointer.
 */
const MAX_DETAIL_POINTER_LENGTH = 128;

/** Maximum number of errors in one Problem. */
const MAX_ERRORS = 100;

/**
 * Creates a Problem with a list of errors. Its `detail` contains the first error, for clients that only show
 * `detail`.
 */
export function schemaProblem(
  code: 'invalid_json' | 'invalid_request' | 'schema_invalid' | 'schema_too_costly',
  errors: readonly [RequestError, ...RequestError[]],
): Problem {
  const [{ pointer, message }, ...others] = errors;
  const location = truncate(pointer, MAX_DETAIL_POINTER_LENGTH);
  const more = andMoreErrors(others.length);
  const detail = `${pointer === '' ? 'The body' : location} ${message}${more}.`;
  const reported = errors
    .slice(0, MAX_ERRORS)
    .map((error) => ({ ...error, pointer: truncate(error.pointer) }));
  return new Problem(code, detail, { errors: reported });
}

/**
 * Maximum length of an error's pointer, in characters. A member name may be as long as a document, and may
 * appear in the pointer of every error.
 */
const MAX_POINTER_LENGTH = 1024;

/** Truncates a text that exceeds a maximum length. */
export function truncate(text: string, length = MAX_POINTER_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
