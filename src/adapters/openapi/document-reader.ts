import { shareOfMemory } from '../../lib/available-memory.js';
import { systemScheduler, type Timers } from '../../lib/clock.js';
import { ThreadPool, ThreadPoolError } from '../../lib/thread-pool.js';
import type { DocumentResult, DocumentTask } from './document-task.js';

/** Time limit of one document, in milliseconds. */
const TIMEOUT_MS = 60_000;

const MAX_WAITING = 10_000;

/** Reads the documents of adapters, one after the other, in threads that end afterwards: a large document leaves a large heap. */
export class DocumentReader {
  readonly #megabytes = shareOfMemory({ part: 1 / 4, maxMb: 1024 });
  readonly #pool: ThreadPool<DocumentTask, DocumentResult>;

  constructor(scheduler: Timers = systemScheduler) {
    this.#pool = new ThreadPool({
      script: new URL('./document-thread.js', import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: this.#megabytes, stackSizeMb: 8 },
      timeoutMs: TIMEOUT_MS,
      maxThreads: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING,
      reusesThreads: false,
      scheduler,
    });
  }

  /** Reads a document. A document that exceeds a limit of time or memory has a fault. */
  async read(task: DocumentTask): Promise<DocumentResult> {
    try {
      return await this.#pool.run(task, { owner: task.file });
    } catch (error) {
      if (!(error instanceof ThreadPoolError)) throw error;
      return unread(task.file, this.#reasonOf(error));
    }
  }

  #reasonOf({ failure }: ThreadPoolError): string {
    if (failure === 'timeout') return `cannot be read within ${TIMEOUT_MS} ms`;
    return failure === 'memory'
      ? `needs more than ${this.#megabytes} MB`
      : 'cannot be read: its thread failed';
  }
}

function unread(file: string, message: string): DocumentResult {
  const fix = 'Leave out the operations that no caller needs.';
  return {
    faults: [{ file, line: 0, column: 0, pointer: '', code: 'openapi', message, fix }],
    unmatched: [],
    files: [file],
    info: { version: '', title: '', servers: [], securitySchemes: {}, queryParameters: [] },
    operations: [],
    methods: [],
    requestDefinitions: [],
    replyDefinitions: [],
    text: new Uint8Array(0),
  };
}
