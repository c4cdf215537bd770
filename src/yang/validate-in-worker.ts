import type { YangModelReference } from '../core/yang.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { type Scheduler, systemScheduler } from '../lib/clock.js';
import { ThreadPool } from '../lib/thread-pool.js';
import type { DocumentTask, DocumentTaskResult } from './document-thread.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';

/** Input of {@link DocumentWorkers.validate}. */
interface DocumentRequest {
  readonly model: YangModelReference;
  /** JSON object with the document in its member `formData`, a string for a document of XML. */
  readonly body: Uint8Array;
  /** The queue serves owners in turn. */
  readonly owner: string;
  readonly signal: CancelSignal;
  /** Returns the archive of the model; undefined if it is not stored. */
  readonly findArchive: (digest: string) => Promise<string | undefined>;
}

/** Result of a validation; `model-missing` if the model is not stored. */
export type DocumentReply = Exclude<DocumentTaskResult, { readonly needsArchive: true }> | 'model-missing';

/** Limits of the threads. */
const MAX_THREADS = 2;
const MAX_WAITING = 64;
const MAX_WAITING_PER_CALLER = 16;
const DEFAULT_MEMORY_MB = 1024;

/** Wall-clock limit of one validation, without the compilation of its model. Steps limit the validation as well. */
const VALIDATION_TIMEOUT_MS = 20_000;

/** Options of {@link DocumentWorkers}. */
interface DocumentWorkersOptions {
  readonly scheduler?: Scheduler;
  /** Limits of the compilation of a model. */
  readonly limits?: Partial<Limits>;
  /** Maximum heap of a thread, in megabytes. */
  readonly megabytes?: number;
}

/**
 * Validates documents by compiled models in threads, which keep the models that they have compiled. A thread that exceeds a
 * limit of time or memory is terminated.
 */
export class DocumentWorkers {
  /** Wall-clock limit of one validation, which may compile the model first. */
  readonly timeoutMs: number;
  readonly #pool: ThreadPool<DocumentTask, DocumentTaskResult>;
  readonly #limits: Partial<Limits>;

  /** `thread` is the module that calls `serveDocuments`. */
  constructor(thread: URL, options: DocumentWorkersOptions = {}) {
    const { scheduler = systemScheduler, limits = {}, megabytes = DEFAULT_MEMORY_MB } = options;
    this.#limits = limits;
    this.timeoutMs = VALIDATION_TIMEOUT_MS + (limits.milliseconds ?? DEFAULT_LIMITS.milliseconds);
    this.#pool = new ThreadPool({
      script: thread,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 8 },
      timeoutMs: this.timeoutMs,
      maxThreads: MAX_THREADS,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING_PER_CALLER,
      reusesThreads: true,
      scheduler,
    });
  }

  /** Rejects with a `ThreadPoolError`, or with the reason of the signal. */
  async validate({ model, body, owner, signal, findArchive }: DocumentRequest): Promise<DocumentReply> {
    const terms = { owner, signal };
    const task = { model, body, limits: this.#limits };
    const first = await this.#pool.run(task, terms);
    if (!('needsArchive' in first)) return first;
    const archive = await findArchive(model.digest);
    if (archive === undefined) return 'model-missing';
    const second = await this.#pool.run({ ...task, archive }, terms);
    if ('needsArchive' in second) throw new Error('the thread does not accept the archive of the model');
    return second;
  }

  /** Terminates every thread. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
