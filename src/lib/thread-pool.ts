import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import type { CancelSignal } from './cancel-signal.js';
import type { Timers } from './clock.js';
import { FairQueue } from './fair-queue.js';

export interface ThreadPoolOptions {
  /** Module that runs in each thread. The module calls {@link serveThread}. */
  readonly script: URL;
  /** `workerData` of each thread. */
  readonly workerData?: unknown;
  /** A thread that exceeds a limit of memory is terminated. */
  readonly resourceLimits: ResourceLimits;
  /** Wall-clock limit of one task without its time in the queue, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxThreads: number;
  /** Maximum number of tasks in the queue, and of those of one owner. */
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** True if threads run several tasks. False if a thread ends after a task, which returns its memory to the system. */
  readonly reusesThreads: boolean;
  readonly scheduler: Timers;
}

/** Why a task has no result: no room in the queue, the pool is closed, a limit was exceeded, or the thread failed. */
type ThreadFailure = 'full' | 'closed' | 'timeout' | 'memory' | 'crash';

export class ThreadPoolError extends Error {
  readonly failure: ThreadFailure;

  constructor(failure: ThreadFailure, options?: ErrorOptions) {
    super(`the task has no result: ${failure}`, options);
    this.name = 'ThreadPoolError';
    this.failure = failure;
  }
}

/** Owner of a task, and the signal that cancels it. */
interface TaskTerms {
  /** The queue serves owners in turn. */
  readonly owner: string;
  readonly signal?: CancelSignal;
  /** Buffers of the task that are handed over instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** A task in the queue or in a thread. */
interface PendingTask<Task, Result> extends TaskTerms {
  readonly task: Task;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread<Task, Result> {
  readonly worker: Worker;
  /** True after the thread has reported that it accepts tasks. */
  isReady: boolean;
  isEnded: boolean;
  running?: PendingTask<Task, Result> | undefined;
  /** Cancels the timer of the running task. */
  stopTimer?: (() => void) | undefined;
}

/** First message of a thread. */
const READY = 'ready';

/**
 * Serves the tasks of a pool in the current thread. `run` must not throw or reject. `buffersOf` returns the buffers of a result that
 * are handed over instead of copied.
 */
export function serveThread<Result>(
  run: (task: never) => Result | Promise<Result>,
  buffersOf: (result: Result) => readonly ArrayBuffer[] = () => [],
): void {
  const serve = async (task: unknown): Promise<void> => {
    const result = await run(task as never);
    parentPort?.postMessage(result, buffersOf(result));
  };
  parentPort?.on('message', (task: unknown) => void serve(task));
  parentPort?.postMessage(READY);
}

/**
 * Runs tasks in threads, so that a task can neither block nor crash the process. Threads are started when tasks wait. A
 * thread is terminated if its task exceeds a limit or its caller leaves.
 */
export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread<Task, Result>>();
  readonly #queue: FairQueue<PendingTask<Task, Result>>;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const { maxWaiting, maxWaitingPerOwner } = options;
    this.#queue = new FairQueue({ maxItems: maxWaiting, maxItemsPerOwner: maxWaitingPerOwner });
  }

  /** Runs a task. Rejects with a {@link ThreadPoolError}, or with the reason of the signal. */
  run(task: Task, { owner, signal, transfer }: TaskTerms): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new ThreadPoolError('closed'));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise<Result>((resolve, reject) => {
      const cancel = (): void => {
        this.#cancel(pending);
      };
      const settle = (): void => signal?.removeEventListener('abort', cancel);
      const pending: PendingTask<Task, Result> = {
        task,
        owner,
        ...(signal && { signal }),
        ...(transfer && { transfer }),
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of a signal may be anything
          reject(error);
        },
      };
      if (!this.#queue.add(owner, pending)) {
        reject(new ThreadPoolError('full'));
        return;
      }
      signal?.addEventListener('abort', cancel, { once: true });
      this.#dispatch();
    });
  }

  /** Terminates every thread. Rejects running and waiting tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new ThreadPoolError('closed');
    for (let next = this.#queue.take(); next; next = this.#queue.take()) next.reject(error);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, error)));
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isReady || thread.isEnded || thread.running) continue;
      const next = this.#queue.take();
      if (!next) return;
      this.#assign(thread, next);
    }
    const starting = [...this.#threads].filter(({ isReady }) => !isReady).length;
    if (this.#queue.size > starting && this.#threads.size < this.#options.maxThreads) this.#startThread();
  }

  #assign(thread: Thread<Task, Result>, next: PendingTask<Task, Result>): void {
    thread.running = next;
    thread.stopTimer = this.#options.scheduler.after(this.#options.timeoutMs, () => {
      void this.#end(thread, new ThreadPoolError('timeout'));
    });
    thread.worker.ref();
    thread.worker.postMessage(next.task, next.transfer ?? []);
  }

  #startThread(): void {
    const { script, workerData, resourceLimits } = this.#options;
    // A task does not need the environment of the process, which may contain secrets.
    const worker = new Worker(script, { workerData, resourceLimits, env: {} });
    const thread: Thread<Task, Result> = { worker, isReady: false, isEnded: false };
    this.#threads.add(thread);
    worker.on('message', (message: Result | typeof READY) => {
      if (message === READY) thread.isReady = true;
      else this.#finish(thread, message);
      // An idle thread does not keep the process alive. A thread that ends does: a task may follow that waits for its exit.
      if (!thread.running && !thread.isEnded && this.#queue.size === 0) worker.unref();
      this.#dispatch();
    });
    worker.on('error', (error) => void this.#end(thread, failureOf(error)));
    worker.on('exit', () => void this.#end(thread, new ThreadPoolError('crash')));
  }

  #finish(thread: Thread<Task, Result>, result: Result): void {
    detachTask(thread)?.resolve(result);
    if (!this.#options.reusesThreads) void this.#end(thread, new ThreadPoolError('closed'));
  }

  #cancel(pending: PendingTask<Task, Result>): void {
    const reason = pending.signal?.reason;
    if (this.#queue.remove(pending.owner, pending)) {
      pending.reject(reason);
      return;
    }
    const thread = [...this.#threads].find(({ running }) => running === pending);
    if (thread) void this.#end(thread, reason);
  }

  /**
   * Terminates a thread and rejects its task. The thread counts until it has exited, so that the number of threads never
   * exceeds the maximum.
   */
  async #end(thread: Thread<Task, Result>, error: unknown): Promise<void> {
    // If the thread did not start, the next task fails. Otherwise the pool would start threads for that task forever.
    const pending = detachTask(thread) ?? (thread.isReady || this.#isClosed ? undefined : this.#queue.take());
    pending?.reject(error);
    thread.isReady = true;
    thread.isEnded = true;
    await thread.worker.terminate();
    if (!this.#threads.delete(thread) || this.#isClosed) return;
    this.#dispatch();
  }
}

function detachTask<Task, Result>(thread: Thread<Task, Result>): PendingTask<Task, Result> | undefined {
  const { running } = thread;
  thread.stopTimer?.();
  thread.running = undefined;
  return running;
}

function failureOf(error: unknown): ThreadPoolError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return new ThreadPoolError(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', { cause: error });
}
