import { createHash } from 'node:crypto';
import { BoundedMap } from '../lib/bounded-map.js';
import { systemScheduler, type Timers } from '../lib/clock.js';
import { ThreadPool, ThreadPoolError } from '../lib/thread-pool.js';
import type { LimitName } from './diagnostic.js';
import type { CompiledJson, CompileJob } from './worker.js';

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
  /** Maximum number of cached results, and maximum total length of their JSON in bytes. */
  readonly kept: number;
  readonly keptBytes: number;
}

const WORKER_LIMITS: WorkerLimits = {
  milliseconds: 60_000,
  megabytes: 1024,
  threads: 2,
  waiting: 32,
  waitingPerCaller: 8,
  kept: 64,
  keptBytes: 64 * 1024 * 1024,
};

/**
 * Compiles each job in a separate thread. A thread that exceeds a limit of time or memory is terminated, so
 * that no text can block or crash the process. Results are cached by the hash of the job.
 */
export class YangWorkers {
  readonly #limits: WorkerLimits;
  readonly #cache: BoundedMap<string, Promise<CompiledJson>>;
  readonly #pool: ThreadPool<CompileJob, CompiledJson>;

  constructor(limits: Partial<WorkerLimits> = {}, scheduler: Timers = systemScheduler) {
    this.#limits = { ...WORKER_LIMITS, ...limits };
    const { milliseconds, megabytes, threads, waiting, waitingPerCaller, kept, keptBytes } = this.#limits;
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
    this.#cache = new BoundedMap({ maxEntries: kept, maxWeight: keptBytes });
  }

  /**
   * Compiles a job; the jobs of different callers are served in turn. Resolves to a single fault with the rule
   * `limit` if a limit is exceeded. Never rejects.
   */
  compile(job: CompileJob, caller = ''): Promise<CompiledJson> {
    const key = keyOf(job);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const compiled = this.#run(job, caller);
    this.#cache.set(key, compiled);
    void compiled.then((result) => {
      if (this.#cache.get(key) !== compiled) return;
      // A job that exceeded a limit may succeed later, so its result is not cached.
      if (exceedsLimit(result)) this.#cache.delete(key);
      else this.#cache.set(key, compiled, lengthOf(result));
    });
    return compiled;
  }

  /** Terminates every thread. */
  async close(): Promise<void> {
    this.#cache.clear();
    await this.#pool.close();
  }

  async #run(job: CompileJob, owner: string): Promise<CompiledJson> {
    try {
      // Other callers may wait for the same result, so a compilation continues if its caller leaves.
      return await this.#pool.run(job, { owner });
    } catch (error) {
      return limitFault(...reasonOf(error, this.#limits));
    }
  }
}

/** Returns a digest of a job. The texts are not copied into one, because they may be large. */
function keyOf({ sources, texts, ...options }: CompileJob): string {
  const given = sources.map(({ text, ...source }) => ({ ...source, length: text.length }));
  const further = texts.map(({ text, ...source }) => ({ ...source, length: text.length }));
  const hash = createHash('sha256').update(JSON.stringify({ given, further, options }));
  for (const { text } of [...sources, ...texts]) hash.update(text);
  return hash.digest('hex');
}

/** Reason why a compilation has no result, and the exceeded limit, if there is one. */
type LimitReason = readonly [message: string, limit?: LimitName];

function reasonOf(error: unknown, { milliseconds, megabytes }: WorkerLimits): LimitReason {
  if (!(error instanceof ThreadPoolError)) return [`the compiler failed: ${String(error)}`];
  switch (error.failure) {
    case 'full':
      return ['too many compilations wait; try again later'];
    case 'closed':
      return ['the compiler is closed'];
    case 'timeout':
      return [`compiling takes longer than ${milliseconds} ms`, 'milliseconds'];
    case 'memory':
      return [`compiling needs more than ${megabytes} MB`, 'megabytes'];
    case 'crash':
      return error.cause instanceof Error
        ? [`the compiler failed: ${error.cause.message}`]
        : ['the compilation was stopped'];
  }
}

/** Returns the length of the JSON of a result in bytes. */
function lengthOf(result: CompiledJson): number {
  if ('faults' in result) return JSON.stringify(result.faults).length;
  const { modules, model } = result;
  return modules.reduce((sum, { json }) => sum + json.length, model?.archive.length ?? 0);
}

function exceedsLimit(result: CompiledJson): boolean {
  return 'faults' in result && result.faults.some(({ rule }) => rule === 'limit');
}

function limitFault(message: string, limit?: LimitName): CompiledJson {
  const fault = { file: '', line: 0, column: 0, rule: 'limit', message, ...(limit && { limit }) };
  return { faults: [fault] };
}
