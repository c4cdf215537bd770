import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Compiled } from './compile.js';
import type { CompileJob } from './worker.js';

/** Limits that the compilation threads share. */
export interface WorkerLimits {
  /** Wall-clock limit of one compilation, without its waiting time. */
  readonly milliseconds: number;
  /** Heap limit of one thread. */
  readonly megabytes: number;
  /** Maximum number of threads at a time; further compilations wait. */
  readonly threads: number;
  /** Maximum number of waiting compilations; further compilations are refused. */
  readonly waiting: number;
  /** Maximum number of cached results, and of their characters of JSON in total. */
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

/** Result, and its length in characters of JSON. */
interface CompileReply {
  readonly result: Compiled;
  readonly characters: number;
}

interface PendingJob {
  readonly compiled: Promise<Compiled>;
  characters: number;
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
 * Compiles each job in a separate thread, which is stopped if it takes too long or too much memory. No text
 * can stall or end the process. Results are cached by the hash of the whole job.
 */
export class YangWorkers {
  readonly #limits: WorkerLimits;
  readonly #startTimer: StartTimer;
  readonly #kept = new Map<string, PendingJob>();
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Worker>();
  #free: number;
  #closed = false;

  constructor(limits: Partial<WorkerLimits> = {}, startTimer: StartTimer = systemTimer) {
    this.#limits = { ...WORKER_LIMITS, ...limits };
    this.#startTimer = startTimer;
    this.#free = this.#limits.threads;
  }

  /** Compiles a job. Resolves to the result, or to a single fault if a limit was exceeded. Never rejects. */
  compile(job: CompileJob): Promise<Compiled> {
    const key = createHash('sha256').update(JSON.stringify(job)).digest('hex');
    const known = this.#kept.get(key);
    if (known) {
      // The least recently used result is removed first.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.compiled;
    }
    const answer = this.#runQueued(job);
    const kept = { compiled: answer.then(({ result }) => result), characters: 0 };
    this.#kept.set(key, kept);
    void answer.then(({ result, characters }) => {
      kept.characters = characters;
      // A job that exceeded a limit may succeed later, so its result is not kept.
      if (isLimit(result) && this.#kept.get(key) === kept) this.#kept.delete(key);
      this.#forget();
    });
    this.#forget();
    return kept.compiled;
  }

  /** Ends every thread. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#kept.clear();
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }

  #forget(): void {
    let characters = [...this.#kept.values()].reduce((sum, one) => sum + one.characters, 0);
    for (const [key, one] of this.#kept) {
      if (this.#kept.size <= this.#limits.kept && characters <= this.#limits.keptCharacters) return;
      this.#kept.delete(key);
      characters -= one.characters;
    }
  }

  async #runQueued(job: CompileJob): Promise<CompileReply> {
    if (this.#free === 0) {
      if (this.#waiting.length >= this.#limits.waiting)
        return limitFault('too many compilations wait; try again later');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#free -= 1;
    try {
      return this.#closed ? limitFault('the compiler is closed') : await this.#inThread(job);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #inThread(job: CompileJob): Promise<CompileReply> {
    const { milliseconds, megabytes } = this.#limits;
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: job,
      // A compilation does not need the environment of the process.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 8 },
    });
    this.#running.add(worker);
    return new Promise<CompileReply>((resolve) => {
      const stopTimer = this.#startTimer(milliseconds, () => {
        end(limitFault(`compiling takes longer than ${milliseconds} ms`));
      });
      const end = (answer: CompileReply): void => {
        stopTimer();
        this.#running.delete(worker);
        // The thread may be busy with an endless pattern.
        void worker.terminate();
        resolve(answer);
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

function isLimit(result: Compiled): boolean {
  return 'faults' in result && result.faults.some(({ rule }) => rule === 'limit');
}

function limitFault(what: string): CompileReply {
  const message = `${what}; send less, or ask the operator to raise the limit`;
  return { result: { faults: [{ file: '', line: 0, column: 0, rule: 'limit', message }] }, characters: 0 };
}
