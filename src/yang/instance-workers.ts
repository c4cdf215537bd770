import type { CancelSignal } from '../core/cancel-signal.js';
import { type Scheduler, systemScheduler } from '../core/lib/clock.js';
import { ThreadPool, ThreadPoolError } from '../core/lib/thread-pool.js';
import { Problem } from '../core/problem.js';
import type { InstanceJob, InstanceResult } from './instance-thread.js';

/** Limits of the threads. */
export interface InstanceLimits {
  /** Wall-clock limit of one compilation, without its time in the queue. */
  readonly milliseconds: number;
  /** Heap limit of one thread, in megabytes. */
  readonly megabytes: number;
}

const DEFAULT_LIMITS: InstanceLimits = { milliseconds: 60_000, megabytes: 1024 };
const MAX_THREADS = 2;
const MAX_WAITING = 10_000;

/**
 * Compiles the modules of servers in threads, which end after it. A compilation that exceeds a limit of time or memory fails, and
 * cannot block or end the process.
 */
export class InstanceWorkers {
  readonly #limits: InstanceLimits;
  readonly #pool: ThreadPool<InstanceJob, InstanceResult>;

  constructor(limits: Partial<InstanceLimits> = {}, scheduler: Pick<Scheduler, 'after'> = systemScheduler) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#pool = new ThreadPool({
      script: new URL('./instance-thread.js', import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.megabytes, stackSizeMb: 8 },
      timeoutMs: this.#limits.milliseconds,
      maxThreads: MAX_THREADS,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING,
      // A large compilation leaves a large heap behind.
      reusesThreads: false,
      scheduler,
    });
  }

  /** Compiles a job. Throws `adapter_unavailable` if a limit is exceeded, and the reason of the signal. */
  async compile(job: InstanceJob, owner: string, signal: CancelSignal): Promise<InstanceResult> {
    try {
      return await this.#pool.run(job, { owner, signal });
    } catch (error) {
      if (!(error instanceof ThreadPoolError)) throw error;
      const reason = this.#reasonOf(error);
      throw new Problem('adapter_unavailable', `the YANG modules of the server are not compiled: ${reason}`, {
        cause: error,
      });
    }
  }

  #reasonOf({ failure }: ThreadPoolError): string {
    const { milliseconds, megabytes } = this.#limits;
    if (failure === 'timeout') return `it takes longer than ${milliseconds} ms. ${ADVICE}`;
    if (failure === 'memory') return `it needs more than ${megabytes} MB. ${ADVICE}`;
    return failure === 'full' ? 'too many compilations wait' : 'the compiler failed';
  }
}

const ADVICE = 'Name the modules that you need in the option "modules".';
