import { Problem } from '../core/problem.js';
import { availableMemory, shareOfMemory } from '../lib/available-memory.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';
import { ThreadPool, ThreadPoolError } from '../lib/thread-pool.js';
import type { InstanceJob, InstanceResult } from './instance-thread.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';

/** Limits of the threads. */
interface InstanceLimits {
  /** Wall-clock limit of one compilation, without its time in the queue. */
  readonly milliseconds: number;
  /** Heap limit of one thread, in megabytes. */
  readonly megabytes: number;
}

/** Returns the limits for the memory of this process. */
function limitsOfProcess(): InstanceLimits {
  return { milliseconds: 60_000, megabytes: shareOfMemory({ part: 1 / 5, maxMb: 1024 }) };
}

/** Memory with which a second thread has its share, in bytes. */
const MEMORY_FOR_TWO = 4 * 1024 * 1024 * 1024;
/** Memory that the compiler needs for one statement and for one schema node, in bytes. */
const STATEMENT_BYTES = 512;
const NODE_BYTES = 1024;
const MAX_WAITING = 10_000;

/**
 * Compiles the modules of servers in threads, which end after it. A compilation that exceeds a limit of time or memory fails, and
 * cannot block or end the process.
 */
export class InstanceWorkers {
  readonly #limits: InstanceLimits;
  readonly #pool: ThreadPool<InstanceJob, InstanceResult>;

  constructor(limits: Partial<InstanceLimits> = {}, scheduler: Scheduler = systemScheduler) {
    this.#limits = { ...limitsOfProcess(), ...limits };
    this.#pool = new ThreadPool({
      script: new URL('./instance-thread.js', import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.megabytes, stackSizeMb: 8 },
      timeoutMs: this.#limits.milliseconds,
      maxThreads: availableMemory() >= MEMORY_FOR_TWO ? 2 : 1,
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
      return await this.#pool.run({ ...job, limits: this.#boundedBy(job.limits) }, { owner, signal });
    } catch (error) {
      if (!(error instanceof ThreadPoolError)) throw error;
      const reason = this.#reasonOf(error);
      throw new Problem('adapter_unavailable', `the YANG modules of the server are not compiled: ${reason}`, {
        cause: error,
      });
    }
  }

  /** Returns limits with which a compilation ends before it has filled the heap of the thread. */
  #boundedBy(limits: Partial<Limits>): Partial<Limits> {
    const heap = this.#limits.megabytes * 1024 * 1024;
    return {
      ...limits,
      statements: Math.min(limits.statements ?? Infinity, DEFAULT_LIMITS.statements, heap / STATEMENT_BYTES),
      nodes: Math.min(limits.nodes ?? Infinity, DEFAULT_LIMITS.nodes, heap / NODE_BYTES),
    };
  }

  #reasonOf({ failure }: ThreadPoolError): string {
    const { milliseconds, megabytes } = this.#limits;
    if (failure === 'timeout') return `it takes longer than ${milliseconds} ms. ${ADVICE}`;
    if (failure === 'memory') return `it needs more than ${megabytes} MB. ${ADVICE}`;
    return failure === 'full' ? 'too many compilations wait' : 'the compiler failed';
  }
}

const ADVICE = 'Name the modules that you need in the option "modules".';
