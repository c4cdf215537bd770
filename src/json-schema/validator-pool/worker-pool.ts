import { Worker } from 'node:worker_threads';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import { type Outcome, READY, type Task, type WorkerSettings } from './task.js';

export interface PoolOptions extends WorkerSettings {
  /** Maximum number of threads at a time. */
  readonly workers: number;
  /** Maximum number of tasks that wait for a thread. */
  readonly waiting: number;
  /** Wall-clock limit of one task, in milliseconds. */
  readonly timeoutMs: number;
  /** Heap limit of one thread, in megabytes. */
  readonly memoryMb: number;
  readonly scheduler: Scheduler;
  /** Module that runs in a thread. */
  readonly thread: URL;
}

interface Job {
  readonly task: Task;
  readonly signal: CancelSignal;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Thread with its state. */
interface Thread {
  readonly worker: Worker;
  /** True once the thread accepts tasks. */
  ready: boolean;
  ended: boolean;
  job: Job | undefined;
  /** Cancels the time limit of the running job. */
  stopTimer: (() => void) | undefined;
}

/** Owns the threads. They start when tasks wait for them, and are killed when a task exceeds a limit. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Job[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a task. Rejects with `validation_busy`, `schema_too_costly`, or `internal` if a thread ended for
   * another reason.
   */
  run(task: Task, signal: CancelSignal): Promise<Outcome> {
    if (this.#closed || this.#queue.length >= this.#options.waiting)
      return Promise.reject(new Problem('validation_busy', 'Too many validations are waiting.'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, signal, resolve, reject });
      this.#serve();
    });
  }

  /** Ends every thread. Rejects running and waiting tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    const stopped = new Problem('validation_busy', 'The server is stopping.');
    for (const job of this.#queue.splice(0)) job.reject(stopped);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopped)));
  }

  #serve(): void {
    while (this.#queue.length > 0) {
      const free = [...this.#threads].find(({ ready, ended, job }) => ready && !ended && !job);
      if (!free) break;
      const job = this.#queue.shift();
      if (job?.signal.aborted === true) job.reject(job.signal.reason);
      else if (job) this.#give(free, job);
    }
    const starting = [...this.#threads].filter(({ ready }) => !ready).length;
    if (this.#queue.length > starting && this.#threads.size < this.#options.workers) this.#start();
  }

  #give(thread: Thread, job: Job): void {
    thread.job = job;
    thread.stopTimer = this.#options.scheduler.after(this.#options.timeoutMs, () => {
      void this.#end(thread, tooCostly(`takes longer than ${this.#options.timeoutMs} ms`));
    });
    thread.worker.postMessage(job.task);
  }

  #start(): void {
    const { registry, memoryMb, thread: script } = this.#options;
    const worker = new Worker(script, {
      workerData: { registry } satisfies WorkerSettings,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 },
      env: {},
    });
    worker.unref();
    const thread: Thread = { worker, ready: false, ended: false, job: undefined, stopTimer: undefined };
    this.#threads.add(thread);
    worker.on('message', (message: Outcome | typeof READY) => {
      if (message === READY) thread.ready = true;
      else release(thread)?.resolve(message);
      this.#serve();
    });
    worker.on('error', (error) => void this.#end(thread, this.#failure(error)));
    worker.on('exit', () => void this.#end(thread, new Error('a validation thread ended by itself')));
  }

  #failure(error: unknown): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? tooCostly(`needs more than ${this.#options.memoryMb} MB`)
      : error;
  }

  /**
   * Ends a thread. The thread keeps its slot until it has exited, so that there are never more threads than
   * allowed.
   */
  async #end(thread: Thread, why: unknown): Promise<void> {
    // If the thread did not start, the next waiting task fails. Otherwise, threads would be started again and
    // again for it.
    const job = release(thread) ?? (thread.ready || this.#closed ? undefined : this.#queue.shift());
    job?.reject(why);
    thread.ready = true;
    thread.ended = true;
    await thread.worker.terminate();
    if (!this.#threads.delete(thread) || this.#closed) return;
    this.#serve();
  }
}

function release(thread: Thread): Job | undefined {
  const { job } = thread;
  thread.stopTimer?.();
  thread.job = undefined;
  return job;
}

function tooCostly(what: string): Problem {
  return new Problem('schema_too_costly', `To apply the schema ${what}.`);
}
