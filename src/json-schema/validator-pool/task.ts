import type { SchemaValidationResult } from '../../core/schema-validator.js';
import type { RequestError } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';

/** What a worker is asked to do; everything of the caller's is bytes. */
export type Task =
  | { readonly kind: 'validateData'; readonly body: Uint8Array }
  | { readonly kind: 'validateForm'; readonly form: Uint8Array; readonly body: Uint8Array }
  | { readonly kind: 'decode'; readonly body: Uint8Array };

/** What a worker answers. */
export type Outcome =
  | { readonly verdict: SchemaValidationResult }
  | { readonly json: Uint8Array }
  | { readonly problem: TaskProblem }
  /** A bug of ours, for the log. */
  | { readonly bug: string };

/** A Problem on its way between threads. */
export interface TaskProblem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly RequestError[];
}

/** What a worker begins with. */
export interface WorkerSettings {
  /** Schemas that others may refer to, by URI. */
  readonly registry: Readonly<Record<string, unknown>>;
}

/** A worker's first message: it takes tasks from now on. */
export const READY = 'ready';
