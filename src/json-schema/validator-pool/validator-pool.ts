import type { SchemaValidator, SchemaValidationResult } from '../../core/schema-validator.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { Outcome, Task } from './task.js';
import { WorkerPool } from './worker-pool.js';

export interface ValidatorOptions {
  /** Maximum size of a schema or value, in bytes. */
  readonly maxBytes: number;
  /** Wall-clock limit of one task, in milliseconds. */
  readonly validateTimeoutMs: number;
  /** Heap limit of one thread, in megabytes. */
  readonly validateMemoryMb: number;
  readonly scheduler: Scheduler;
  /** Module that runs in each thread. It calls `serveTasks`. */
  readonly thread: URL;
  /** Schemas that callers' schemas may refer to, by URI. */
  readonly registry?: Readonly<Record<string, unknown>>;
}

/** Validator that owns threads. */
export interface OpenValidatorPool extends SchemaValidator {
  close(): Promise<void>;
}

/** Maximum number of threads per process, and of tasks that wait for them. */
const WORKERS = 2;
const WAITING = 64;

/** Creates a validator. Threads start on first use. */
export function openValidatorPool(options: ValidatorOptions): OpenValidatorPool {
  const { maxBytes, validateTimeoutMs, validateMemoryMb, scheduler, thread, registry = {} } = options;
  const pool = new WorkerPool({
    workers: WORKERS,
    waiting: WAITING,
    timeoutMs: validateTimeoutMs,
    memoryMb: validateMemoryMb,
    scheduler,
    thread,
    registry,
  });
  const run = async (task: Task, signal: CancelSignal): Promise<Outcome> => {
    if (task.body.length > maxBytes)
      throw new Problem('body_too_large', `The body is larger than ${maxBytes} bytes (forms.maxBytes).`);
    return pool.run(task, signal);
  };
  return {
    validateData: async (body, signal) =>
      toValidationResult(await run({ kind: 'validateData', body }, signal)),
    validateForm: async (form, body, signal) =>
      toValidationResult(await run({ kind: 'validateForm', form, body }, signal)),
    async decode(body, signal) {
      const outcome = succeeded(await run({ kind: 'decode', body }, signal));
      if ('json' in outcome) return { rawJson: Buffer.from(outcome.json) };
      throw new TypeError('a validation thread gave a verdict where a schema was asked for');
    },
    close: () => pool.close(),
  };
}

function toValidationResult(outcome: Outcome): SchemaValidationResult {
  const done = succeeded(outcome);
  if ('verdict' in done) return done.verdict;
  throw new TypeError('a validation thread gave a schema where a verdict was asked for');
}

type Success = Exclude<Outcome, { readonly problem: unknown } | { readonly bug: unknown }>;

function succeeded(outcome: Outcome): Success {
  if ('bug' in outcome) throw new Error(outcome.bug);
  if (!('problem' in outcome)) return outcome;
  const { code, detail, errors } = outcome.problem;
  throw new Problem(code, detail, errors.length > 0 ? { errors } : {});
}
