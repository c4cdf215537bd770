import { callerKey } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { Scheduler } from '../../lib/clock.js';
import { ThreadPool } from '../../lib/thread-pool.js';
import { createFormCache, type InlineEngine } from './form-cache.js';
import type { SchemaValidationResult, SchemaValidator, TaskCaller } from './schema-validator.js';
import type { TaskResult, Task, WorkerSettings } from './task.js';
import { validationProblemOf } from './validation-problem.js';

export interface ValidatorOptions {
  /** Maximum size of a schema or value, in bytes. */
  readonly maxBytes: number;
  /** Safety net: wall-clock limit of one task, in milliseconds. The engine limits the cost in steps. */
  readonly validateTimeoutMs: number;
  /** Heap limit of one thread, in megabytes. */
  readonly validateMemoryMb: number;
  readonly scheduler: Scheduler;
  /** Module that runs in each thread. The module calls `serveTasks`. */
  readonly thread: URL;
  /** Loads the engine for the main thread, which applies the schemas of small forms. Absent: threads apply all schemas. */
  readonly loadInline?: () => Promise<InlineEngine>;
  /** Schemas that callers' schemas may refer to, by URI. */
  readonly registry?: Readonly<Record<string, unknown>>;
}

/** Validator with a pool of worker threads. */
export interface OpenValidatorPool extends SchemaValidator {
  close(): Promise<void>;
}

/** Maximum number of threads per process. */
const MAX_THREADS = 2;

/** Maximum number of tasks in the queue, and of those of one caller. */
const MAX_WAITING_TASKS = 64;
const MAX_WAITING_TASKS_PER_CALLER = 16;

/** Creates a validator. Threads are started on first use. Callers are served in turn. */
export function openValidatorPool(options: ValidatorOptions): OpenValidatorPool {
  const { maxBytes, validateTimeoutMs, validateMemoryMb, scheduler, thread, registry = {} } = options;
  const pool = new ThreadPool<Task, TaskResult>({
    script: thread,
    workerData: { registry } satisfies WorkerSettings,
    resourceLimits: {
      maxOldGenerationSizeMb: validateMemoryMb,
      maxYoungGenerationSizeMb: validateMemoryMb / 4,
    },
    timeoutMs: validateTimeoutMs,
    maxThreads: MAX_THREADS,
    maxWaiting: MAX_WAITING_TASKS,
    maxWaitingPerOwner: MAX_WAITING_TASKS_PER_CALLER,
    reusesThreads: true,
    scheduler,
  });
  const assertSize = ({ length }: Uint8Array): void => {
    if (length > maxBytes)
      throw new Problem('body_too_large', `The body is larger than ${maxBytes} bytes (forms.maxBytes).`);
  };
  const run = async (task: Task, { principal, signal }: TaskCaller): Promise<TaskResult> => {
    assertSize(task.body);
    return pool.run(task, { owner: callerKey(principal), signal }).catch((error: unknown) => {
      throw problemOf(error, options);
    });
  };
  const forms = options.loadInline && createFormCache({ load: options.loadInline, registry });
  return {
    validateData: async (body, caller) =>
      toValidationResult(await run({ kind: 'validateData', body }, caller)),
    async validateForm(form, body, caller) {
      assertSize(body);
      const known = forms?.validate(form, body);
      if (known) return toValidationResult(known);
      const result = await run({ kind: 'validateForm', form, body }, caller);
      forms?.note(form, result);
      return toValidationResult(result);
    },
    async decode(body, bodySchema, caller) {
      const result = successOf(await run({ kind: 'decode', body, bodySchema }, caller));
      if ('json' in result) return { rawJson: Buffer.from(result.json) };
      throw new TypeError('the validation thread returned a validation result for a decode task');
    },
    async close() {
      forms?.close();
      await pool.close();
    },
  };
}

function toValidationResult(taskResult: TaskResult): SchemaValidationResult {
  const result = successOf(taskResult);
  if ('validation' in result) return result.validation;
  throw new TypeError('the validation thread returned a schema for a validation task');
}

type Success = Exclude<TaskResult, { readonly problem: unknown } | { readonly internalError: unknown }>;

function successOf(result: TaskResult): Success {
  if ('internalError' in result) throw new Error(result.internalError);
  if (!('problem' in result)) return result;
  const { code, detail, errors } = result.problem;
  throw new Problem(code, detail, errors.length > 0 ? { errors } : {});
}

function problemOf(error: unknown, { validateTimeoutMs, validateMemoryMb }: ValidatorOptions): unknown {
  return validationProblemOf(error, {
    task: 'Applying the schema',
    time: `${validateTimeoutMs} ms (forms.validateTimeoutMs)`,
    memory: `needs more than ${validateMemoryMb} MB (forms.validateMemoryMb)`,
  });
}
