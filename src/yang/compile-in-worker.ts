import { createHash } from 'node:crypto';
import { BoundedMap } from '../core/lib/bounded-map.js';
import { type Scheduler, systemScheduler } from '../core/lib/clock.js';
import { ThreadPool, ThreadPoolError } from '../core/lib/thread-pool.js';
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
  /** Maximum number of queued compilations of one caller. */
  readonly waitingPerCaller: number;
  /** Maximum number of cached results, and maximum total length of their JSON in characters. */
  readonly kept: number;
  readonly keptCharacters: number;
}

const WORKER_LIMITS: WorkerLimits = {
  milliseconds: 20_000,
  megabytes: 1024,
  threads: 2,
  waiting: 32,
  waitingPerCaller: 8,
  kept: 64,
  keptCharacters: 64 * 1024 * 1024,
};

/** Result of a compilation, and the length of its JSON in characters. */
interface WorkerResult {
  readonly result: Compiled;
  readonly characters: number;
}

/**
 * Compiles each job in a separate thread. A thread that exceeds a limit of time or memory is terminated, so
 * that no text can block or crash the process. Results are cached by the hash of the job.
 */
export class YangWorkers {
  readonly #limits: WorkerLimits;
  readonly #cache: BoundedMap<string, Promise<Compiled>>;
  readonly #pool: ThreadPool<CompileJob, string>;

  constructor(limits: Partial<WorkerLimits> = {}, scheduler: Pick<Scheduler, 'after'> = systemScheduler) {
    this.#limits = { ...WORKER_LIMITS, ...limits };
    const { milliseconds, megabytes, threads, waiting, waitingPerCaller, kept, keptCharacters } =
      this.#limits;
    this.#pool = new ThreadPool({
      script: new URL('./worker.js', import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 8 },
      timeoutMs: milliseconds,
      maxThreads: threads,
      maxWaiting: waiting,
      maxWaitingPerOwner: Math.min(waiting, waitingPerCaller),
      // A large compilation leaves a large heap behind.
      reusesThreads: false,
      scheduler,
    });
    this.#cache = new BoundedMap({ maxEntries: kept, maxWeight: keptCharacters });
  }

  /**
   * Compiles a job; the jobs of different callers are served in turn. Resolves to a single fault with the rule
   * `limit` if a limit is exceeded. Never rejects.
   */
  compile(job: CompileJob, caller = ''): Promise<Compiled> {
    const key = createHash('sha256').update(JSON.stringify(job)).digest('hex');
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const reply = this.#run(job, caller);
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
    this.#cache.clear();
    await this.#pool.close();
  }

  async #run(job: CompileJob, owner: string): Promise<WorkerResult> {
    try {
      // Other callers may wait for the same result, so a compilation continues if its caller leaves.
      const json = await this.#pool.run(job, { owner });
      return { result: JSON.parse(json) as Compiled, characters: json.length };
    } catch (error) {
      return limitFault(reasonOf(error, this.#limits));
    }
  }
}

function reasonOf(error: unknown, { milliseconds, megabytes }: WorkerLimits): string {
  if (!(error instanceof ThreadPoolError)) return `the compiler failed: ${String(error)}`;
  switch (error.failure) {
    case 'full':
      return 'too many compilations wait; try again later';
    case 'closed':
      return 'the compiler is closed';
    case 'timeout':
      return `compiling takes longer than ${milliseconds} ms`;
    case 'memory':
      return `compiling needs more than ${megabytes} MB`;
    case 'crash':
      return error.cause instanceof Error
        ? `the compiler failed: ${error.cause.message}`
        : 'the compilation was stopped';
  }
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
