import { BoundedMap } from '../core/lib/bounded-map.js';
import { Semaphore } from '../core/lib/semaphore.js';
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Compiled } from './compile.js';
import type { CompileJob } from './worker.js';

/** Limits that the compilation threads share. */
export interface WorkerLimits {
  /** Wall-clock limit of one compilation, without its time in the queue. */
  readonly milliseconds: number;
  /** Heap limit of one thread, in megabytes. */
  readonly megabytes: number;
  /** Maximum number of threads. Further compilations are queued. */
  readonly threads: number;
  /** Maximum number of queued compilations. Further compilations are refused. */
  readonly waiting: number;
  /** Maximum number of cached results, and maximum total length of their JSON in characters. */
  readonly kept: number;
  readonly keptCharacters: number;
}

const WORKER_LIMITS: WorkerLimits = {
  milliseconds: 20_000,
  megabytes: 1024,
  threads: 2,
  waiting: 32,
  kept: 64,
  keptCharacters: 64 * 1024 * 1024,
};

/** Result of a compilation, and the length of its JSON in characters. */
interface WorkerResult {
  readonly result: Compiled;
  readonly characters: number;
}

/** Starts a timer and returns a function that cancels it. */
export type StartTimer = (ms: number, callback: () => void) => () => void;

const systemTimer: StartTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => {
    clearTimeout(timer);
  };
};

/**
 * Compiles each job in a separate thread. A thread that exceeds a limit of time or memory is terminated, so
 * that no text can block or crash the process. Results are cached by the hash of the job.
 */
export class YangWorkers {
  readonly #limits: WorkerLimits;
  readonly #startTimer: StartTimer;
  readonly #cache: BoundedMap<string, Promise<Compiled>>;
  readonly #threads: Semaphore;
  readonly #running = new Set<Worker>();
  #closed = false;

  constructor(limits: Partial<WorkerLimits> = {}, startTimer: StartTimer = systemTimer) {
    this.#limits = { ...WORKER_LIMITS, ...limits };
    this.#startTimer = startTimer;
    const { threads, waiting, kept, keptCharacters } = this.#limits;
    this.#threads = new Semaphore(threads, waiting);
    this.#cache = new BoundedMap({ maxEntries: kept, maxWeight: keptCharacters });
  }

  /**
   * Compiles a job. Resolves to a single fault with the rule `limit` if a limit is exceeded. Never rejects.
   */
  compile(job: CompileJob): Promise<Compiled> {
    const key = createHash('sha256').update(JSON.stringify(job)).digest('hex');
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const reply = this.#runQueued(job);
    const compiled = reply.then(({ result }) => result);
    this.#cache.set(key, compiled);
    void reply.then(({ result, characters }) => {
      if (this.#cache.get(key) !== compiled) return;
      // A job that exceeded a limit may succeed later, so its result is not cached.
      if (exceedsLimit(result)) this.#cache.delete(key);
      else this.#cache.set(key, compiled, characters);
    });
    return compiled;
  }

  /** Terminates every thread. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cache.clear();
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }

  async #runQueued(job: CompileJob): Promise<WorkerResult> {
    if (this.#threads.isFull) return limitFault('too many compilations wait; try again later');
    return this.#threads.run(() =>
      this.#closed ? Promise.resolve(limitFault('the compiler is closed')) : this.#inThread(job),
    );
  }

  #inThread(job: CompileJob): Promise<WorkerResult> {
    const { milliseconds, megabytes } = this.#limits;
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: job,
      // A compilation does not need the environment of the process.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 8 },
    });
    this.#running.add(worker);
    return new Promise<WorkerResult>((resolve) => {
      const stopTimer = this.#startTimer(milliseconds, () => {
        end(limitFault(`compiling takes longer than ${milliseconds} ms`));
      });
      const end = (reply: WorkerResult): void => {
        stopTimer();
        this.#running.delete(worker);
        // The thread may still be running if the time limit was exceeded.
        void worker.terminate();
        resolve(reply);
      };
      worker.once('message', (json: string) => {
        end({ result: JSON.parse(json) as Compiled, characters: json.length });
      });
      worker.once('error', (error) => {
        end(limitFault(messageOf(error, megabytes)));
      });
      worker.once('exit', () => {
        end(limitFault('the compilation was stopped'));
      });
    });
  }
}

function messageOf(error: Error & { code?: string }, megabytes: number): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `compiling needs more than ${megabytes} MB`
    : `the compiler failed: ${error.message}`;
}

function exceedsLimit(result: Compiled): boolean {
  return 'faults' in result && result.faults.some(({ rule }) => rule === 'limit');
}

function limitFault(message: string): WorkerResult {
  const advice = `${message}; send less, or ask the operator to raise the limit`;
  return {
    result: { faults: [{ file: '', line: 0, column: 0, rule: 'limit', message: advice }] },
    characters: 0,
  };
}
