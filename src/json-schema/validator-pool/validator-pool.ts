import type { SchemaValidationResult, SchemaValidator } from '../../core/schema-validator.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import { type TaskResult, READY, type Task, type WorkerSettings } from './task.js';
import { Worker } from 'node:worker_threads';

export interface ValidatorOptions {
  /** Maximum size of a schema or value, in bytes. */
  readonly maxBytes: number;
  /** Wall-clock limit of one task, in milliseconds. */
  readonly validateTimeoutMs: number;
  /** Heap limit of one thread, in megabytes. */
  readonly validateMemoryMb: number;
  readonly scheduler: Scheduler;
  /** Module that runs in each thread. The module calls `serveTasks`. */
  readonly thread: URL;
  /** Schemas that callers' schemas may refer to, by URI. */
  readonly registry?: Readonly<Record<string, unknown>>;
}

/** Validator with a pool of worker threads. */
export interface OpenValidatorPool extends SchemaValidator {
  close(): Promise<void>;
}

/** Maximum number of threads per process. */
const MAX_THREADS = 2;

/** Maximum number of tasks in the queue. */
const MAX_WAITING_TASKS = 64;

/** Creates a validator. Threads are started on first use. */
export function openValidatorPool(options: ValidatorOptions): OpenValidatorPool {
  const { maxBytes, validateTimeoutMs, validateMemoryMb, scheduler, thread, registry = {} } = options;
  const pool = new WorkerPool({
    maxThreads: MAX_THREADS,
    maxWaiting: MAX_WAITING_TASKS,
    timeoutMs: validateTimeoutMs,
    memoryMb: validateMemoryMb,
    scheduler,
    thread,
    registry,
  });
  const run = async (task: Task, signal: CancelSignal): Promise<TaskResult> => {
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
      const result = successOf(await run({ kind: 'decode', body }, signal));
      if ('json' in result) return { rawJson: Buffer.from(result.json) };
      throw new TypeError('the validation thread returned a validation result for a decode task');
    },
    close: () => pool.close(),
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

interface WorkerPoolOptions extends WorkerSettings {
  /** Maximum number of threads. */
  readonly maxThreads: number;
  /** Maximum number of tasks in the queue. */
  readonly maxWaiting: number;
  /** Wall-clock limit of one task, in milliseconds. */
  readonly timeoutMs: number;
  /** Heap limit of one thread, in megabytes. */
  readonly memoryMb: number;
  readonly scheduler: Scheduler;
  /** Module that runs in each thread. */
  readonly thread: URL;
}

/** Task with its settling functions, in the queue or running. */
interface PendingTask {
  readonly task: Task;
  readonly signal: CancelSignal;
  resolve(result: TaskResult): void;
  reject(error: unknown): void;
}

/** Worker thread with its state. */
interface Thread {
  readonly worker: Worker;
  /** True after the thread has reported that it accepts tasks. */
  ready: boolean;
  ended: boolean;
  pending: PendingTask | undefined;
  /** Cancels the timer of the running task. */
  stopTimer: (() => void) | undefined;
}

/**
 * Pool of worker threads. A thread is started for queued tasks, and terminated when its task exceeds a limit.
 */
class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: PendingTask[] = [];
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a task. Rejects with `validation_busy` if the queue is full, and with `schema_too_costly` if the
   * task exceeds a limit. Rejects with another error if the thread ended unexpectedly.
   */
  run(task: Task, signal: CancelSignal): Promise<TaskResult> {
    if (this.#closed || this.#queue.length >= this.#options.maxWaiting)
      return Promise.reject(new Problem('validation_busy', 'Too many validations are waiting.'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, signal, resolve, reject });
      this.#dispatch();
    });
  }

  /** Terminates every thread. Rejects running and queued tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    const stopped = new Problem('validation_busy', 'The server is stopping.');
    for (const pending of this.#queue.splice(0)) pending.reject(stopped);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopped)));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const idle = [...this.#threads].find(({ ready, ended, pending }) => ready && !ended && !pending);
      if (!idle) break;
      const pending = this.#queue.shift();
      if (pending?.signal.aborted === true) pending.reject(pending.signal.reason);
      else if (pending) this.#assign(idle, pending);
    }
    const starting = [...this.#threads].filter(({ ready }) => !ready).length;
    if (this.#queue.length > starting && this.#threads.size < this.#options.maxThreads) this.#startThread();
  }

  #assign(thread: Thread, pending: PendingTask): void {
    thread.pending = pending;
    thread.stopTimer = this.#options.scheduler.after(this.#options.timeoutMs, () => {
      void this.#end(thread, tooCostly(`takes longer than ${this.#options.timeoutMs} ms`));
    });
    thread.worker.postMessage(pending.task);
  }

  #startThread(): void {
    const { registry, memoryMb, thread: script } = this.#options;
    const worker = new Worker(script, {
      workerData: { registry } satisfies WorkerSettings,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 },
      env: {},
    });
    worker.unref();
    const thread: Thread = { worker, ready: false, ended: false, pending: undefined, stopTimer: undefined };
    this.#threads.add(thread);
    worker.on('message', (message: TaskResult | typeof READY) => {
      if (message === READY) thread.ready = true;
      else detachTask(thread)?.resolve(message);
      this.#dispatch();
    });
    worker.on('error', (error) => void this.#end(thread, this.#errorOf(error)));
    worker.on('exit', () => void this.#end(thread, new Error('the validation thread exited unexpectedly')));
  }

  #errorOf(error: unknown): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? tooCostly(`needs more than ${this.#options.memoryMb} MB`)
      : error;
  }

  /**
   * Terminates a thread and rejects its task. The thread keeps its slot in the pool until it has exited, so
   * that the number of threads never exceeds the maximum.
   */
  async #end(thread: Thread, error: unknown): Promise<void> {
    // If the thread did not start, the next queued task fails. Otherwise the pool would start threads for
    // that task forever.
    const pending = detachTask(thread) ?? (thread.ready || this.#closed ? undefined : this.#queue.shift());
    pending?.reject(error);
    thread.ready = true;
    thread.ended = true;
    await thread.worker.terminate();
    if (!this.#threads.delete(thread) || this.#closed) return;
    this.#dispatch();
  }
}

/** Removes the running task from a thread and returns the task. */
function detachTask(thread: Thread): PendingTask | undefined {
  const { pending } = thread;
  thread.stopTimer?.();
  thread.pending = undefined;
  return pending;
}

function tooCostly(reason: string): Problem {
  return new Problem('schema_too_costly', `Applying the schema ${reason}.`);
}
