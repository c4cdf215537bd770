import type { SchemaValidationResult } from '../../core/schema-validator.js';
import type { RequestError } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';

/** Task for a worker. All data of the caller is passed as bytes. */
export type Task =
  | { readonly kind: 'validateData'; readonly body: Uint8Array }
  | { readonly kind: 'validateForm'; readonly form: Uint8Array; readonly body: Uint8Array }
  | { readonly kind: 'decode'; readonly body: Uint8Array };

/** Answer of a worker. */
export type Outcome =
  | { readonly verdict: SchemaValidationResult }
  | { readonly json: Uint8Array }
  | { readonly problem: TaskProblem }
  /** Bug in gatehouse, for the log. */
  | { readonly bug: string };

/** Problem in the form that is passed between threads. */
export interface TaskProblem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly RequestError[];
}

/** Initial data of a worker. */
export interface WorkerSettings {
  /** Schemas that others may refer to, by URI. */
  readonly registry: Readonly<Record<string, unknown>>;
}

/** First message of a worker: it accepts tasks from now on. */
export const READY = 'ready';
