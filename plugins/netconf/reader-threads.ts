import { Problem } from '../../src/core/problem.js';
import { shareOfMemory } from '../../src/lib/available-memory.js';
import { type Scheduler, systemScheduler } from '../../src/lib/clock.js';
import { oneLine } from '../../src/lib/one-line.js';
import { ThreadPool, ThreadPoolError } from '../../src/lib/thread-pool.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { UnknownNodes } from '../../src/yang/encoding/xml-to-json.js';
import { RpcFailed } from './messages.js';
import type { Plan, ResourceRequest } from './plan.js';
import type { ReaderThreadData } from './reader-thread.js';
import { RestconfFault } from './replies.js';
import type { SubscriptionRequest } from './subscribe.js';
import type {
  MessageContent,
  Outcome,
  ReadTask,
  TaskResults,
  ThreadResult,
  ThreadTask,
} from './thread-tasks.js';

const MIB = 1024 * 1024;

/** Limits of the threads. */
export interface ReaderLimits {
  /** Size up to which a message is small, in bytes. */
  readonly smallBytes: number;
  /** Heap of the thread for requests and small messages, and of that for large messages, in MiB. */
  readonly smallHeapMb: number;
  readonly largeHeapMb: number;
  /** Wall-clock limits of one message, in milliseconds. */
  readonly smallMs: number;
  readonly largeMs: number;
}

/** Returns the limits for the memory of this process. */
function limitsOfProcess(): ReaderLimits {
  return {
    smallBytes: 256 * 1024,
    smallHeapMb: shareOfMemory({ part: 1 / 5, maxMb: 1024 }),
    largeHeapMb: shareOfMemory({ part: 3 / 16, maxMb: 1024 }),
    smallMs: 20_000,
    largeMs: 60_000,
  };
}

/** Part of a heap that the tree of one message may take. The JSON of the tree needs as much again. */
const TREE_PART = 0.3;
/** Part of a heap for prepared models. */
const MODELS_PART = 0.6;
/** Memory that a model needs for each of its bytes: at least, and when the parts in use have been prepared. */
const [MIN_MODEL_FACTOR, MODEL_FACTOR] = [10, 15];

const MAX_WAITING = 10_000;

/** Message to read, and what decides about it in its session. */
export type MessageTask = Omit<ReadTask, 'do' | 'limits' | 'unknownNodes'>;

/** The adapter on whose behalf a message is read, and its limits. */
interface MessageTerms {
  readonly owner: string;
  readonly bytes: number;
  readonly depth: number;
  /** Absent: they are refused. */
  readonly unknownNodes?: UnknownNodes;
}

/** The adapter on whose behalf a thread works, and the modules of its server. */
interface ReaderTerms {
  readonly owner: string;
  readonly model: ModelBytes;
}

/**
 * Threads in which the messages of all servers are read, requests become operations, and data becomes JSON. Large messages have a
 * thread of their own, so that they do not delay others. A message that exceeds a limit of memory or time ends its thread; the
 * next message starts another one.
 */
export class ReaderThreads {
  readonly #limits: ReaderLimits;
  readonly #small: ThreadPool<ThreadTask, ThreadResult>;
  readonly #large: ThreadPool<ThreadTask, ThreadResult>;

  constructor(limits: Partial<ReaderLimits> = {}, scheduler: Pick<Scheduler, 'after'> = systemScheduler) {
    this.#limits = { ...limitsOfProcess(), ...limits };
    const { smallHeapMb, smallMs, largeHeapMb, largeMs } = this.#limits;
    this.#small = openPool(smallHeapMb, smallMs, scheduler);
    this.#large = openPool(largeHeapMb, largeMs, scheduler);
  }

  /** Maximum size of a model that a thread can hold, in bytes of {@link ModelBytes}. */
  get maxModelBytes(): number {
    return modelBytesIn(this.#limits.smallHeapMb, MIN_MODEL_FACTOR);
  }

  /** Reads a message, whose buffer is handed over. Throws a Problem if a limit is exceeded. */
  async read(
    task: MessageTask,
    { owner, bytes, depth, unknownNodes = 'refuse' }: MessageTerms,
  ): Promise<MessageContent> {
    const { message } = task;
    const isSmall = message.length <= this.#limits.smallBytes;
    const heapMb = isSmall ? this.#limits.smallHeapMb : this.#limits.largeHeapMb;
    const limits = { bytes, depth, memory: Math.floor(heapMb * MIB * TREE_PART) };
    const transfer = [message.buffer as ArrayBuffer];
    return this.#run({ do: 'read', ...task, limits, unknownNodes }, { isSmall, owner, transfer });
  }

  /** Returns what carries out a request. Throws RestconfFault, and a Problem if a limit is exceeded. */
  async plan(request: ResourceRequest, { model, owner }: ReaderTerms): Promise<Plan> {
    return valueOf(await this.#run({ do: 'plan', model, request }, { isSmall: true, owner }));
  }

  /** Returns the operation of a subscription. Throws RestconfFault, and a Problem if a limit is exceeded. */
  async subscription(request: SubscriptionRequest, { model, owner }: ReaderTerms): Promise<XmlOutput> {
    return valueOf(await this.#run({ do: 'subscribe', model, ...request }, { isSmall: true, owner }));
  }

  /** Terminates every thread. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }

  async #run<Task extends ThreadTask>(
    task: Task,
    { isSmall, ...terms }: { readonly isSmall: boolean; readonly owner: string; transfer?: ArrayBuffer[] },
  ): Promise<TaskResults[Task['do']]> {
    try {
      const done = await (isSmall ? this.#small : this.#large).run(task, terms);
      if ('internalError' in done) throw new Error(done.internalError);
      // A thread answers a task with the result of its kind.
      return done.result as TaskResults[Task['do']];
    } catch (error) {
      throw error instanceof ThreadPoolError ? this.#problemOf(error, isSmall) : error;
    }
  }

  #problemOf(error: ThreadPoolError, isSmall: boolean): Problem {
    const { smallHeapMb, largeHeapMb, smallMs, largeMs } = this.#limits;
    const extras = { cause: error };
    switch (error.failure) {
      case 'memory':
        return new Problem(
          'upstream_too_large',
          `what the server sent needs more than ${isSmall ? smallHeapMb : largeHeapMb} MB when it is read`,
          extras,
        );
      case 'timeout':
        return new Problem(
          'upstream_too_large',
          `what the server sent takes more than ${isSmall ? smallMs : largeMs} ms to read`,
          extras,
        );
      case 'full':
        return new Problem('upstream_busy', 'too many messages of NETCONF servers wait to be read', extras);
      case 'closed':
        return new Problem('adapter_unavailable', 'the adapter was stopped', extras);
      case 'crash':
        return new Problem(
          'upstream_bad_reply',
          'the thread that read the message of the server ended',
          extras,
        );
    }
  }
}

function openPool(
  heapMb: number,
  timeoutMs: number,
  scheduler: Pick<Scheduler, 'after'>,
): ThreadPool<ThreadTask, ThreadResult> {
  return new ThreadPool({
    script: new URL('./reader-thread.js', import.meta.url),
    workerData: { modelBytes: modelBytesIn(heapMb, MODEL_FACTOR) } satisfies ReaderThreadData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: 8 },
    timeoutMs,
    maxThreads: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING,
    reusesThreads: true,
    scheduler,
  });
}

function modelBytesIn(heapMb: number, factor: number): number {
  return Math.floor((heapMb * MIB * MODELS_PART) / factor);
}

const MAX_TEXT_LENGTH = 1000;
const UNKNOWN_ADVICE =
  'Ask for a narrower path, put the module into the folder of the option schemaFolder, or set the option unknownNodes to omit or anydata.';

/** Returns the value of an outcome. Throws RestconfFault, RpcFailed, and `upstream_bad_reply` for data without a JSON form. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  if ('fault' in outcome) throw new RestconfFault(outcome.fault.status, outcome.fault.errors);
  if ('rpcErrors' in outcome) throw new RpcFailed(outcome.rpcErrors);
  const detail = `the reply of the server cannot be written as JSON: ${outcome.badReply}`;
  throw new Problem(
    outcome.isTooLarge ? 'upstream_too_large' : 'upstream_bad_reply',
    oneLine(detail, MAX_TEXT_LENGTH),
    outcome.isUnknown ? { advice: UNKNOWN_ADVICE } : {},
  );
}
