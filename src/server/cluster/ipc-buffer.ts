import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { AuditRecord } from '../../core/audit.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { OverloadReason } from '../../http/overload/overload-detector.js';
import type { GatedEntry } from '../../telemetry/log/batch-writer.js';
import type { RpcChannel } from './rpc.js';
import type { MainRpc, IpcBatch } from './protocol.js';

/**
 * Buffer of the messages from a worker to the main process. It sends audit records at the end of the current event loop
 * turn, and all other messages with them or a little later.
 */
export interface IpcBuffer {
  /** Appends records to the trail of the main process; see {@link AuditTrail}. */
  readonly audit: Pick<AuditTrail, 'append' | 'writable' | 'digest'>;
  /** Makes the next action wait until the main process confirms that the trail is writable. */
  readonly markAuditSuspect: () => void;
  readonly countAnswered: (request: AnsweredRequest) => void;
  readonly countOverload: (reason: OverloadReason) => void;
  readonly writeLine: (entry: GatedEntry) => void;
  /** Sends the remaining messages; resolves when the main process has received them. */
  readonly flush: () => Promise<void>;
}

/** Maximum time that lines and counts wait, in milliseconds. Batches are cheaper than single messages. */
const MAX_DELAY_MS = 10;
/** Maximum number of lines that wait. */
const MAX_LINES = 256;

/** Creates an empty buffer. */
export function createIpcBuffer(rpc: RpcChannel<MainRpc>): IpcBuffer {
  const buffer = new BatchingBuffer(rpc);
  let isAuditWritable = true;
  return {
    audit: {
      async append(record) {
        try {
          await buffer.append(record);
        } catch (error) {
          isAuditWritable = false;
          throw error;
        }
      },
      async writable() {
        if (!isAuditWritable) isAuditWritable = await rpc.ask('isAuditWritable', null);
        return isAuditWritable;
      },
      // Calls to orchestrators do not change audited state.
      digest: () => '',
    },
    markAuditSuspect: () => {
      isAuditWritable = false;
    },
    countAnswered: (request) => {
      buffer.countAnswered(request);
    },
    countOverload: (reason) => {
      buffer.countOverload(reason);
    },
    writeLine: (entry) => {
      buffer.writeLine(entry);
    },
    flush: () => buffer.flush(),
  };
}

class BatchingBuffer {
  readonly #rpc: RpcChannel<MainRpc>;
  #records: AuditRecord[] = [];
  #answered: AnsweredRequest[] = [];
  #overloads: OverloadReason[] = [];
  #lines: GatedEntry[] = [];
  /** The delivery of the records of this turn. */
  #delivery: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(rpc: RpcChannel<MainRpc>) {
    this.#rpc = rpc;
  }

  append(record: AuditRecord): Promise<void> {
    this.#records.push(record);
    return (this.#delivery ??= this.#deliver());
  }

  countAnswered(request: AnsweredRequest): void {
    this.#answered.push(request);
    this.#sendSoon();
  }

  countOverload(reason: OverloadReason): void {
    this.#overloads.push(reason);
    this.#sendSoon();
  }

  writeLine(entry: GatedEntry): void {
    this.#lines.push(entry);
    // Errors and warnings are sent at once, because the process may end now.
    const isUrgent = entry.level === 'error' || entry.level === 'warn';
    if (isUrgent || this.#lines.length >= MAX_LINES) this.#send();
    else this.#sendSoon();
  }

  async flush(): Promise<void> {
    await this.#delivery?.catch(() => undefined);
    await this.#rpc.ask('deliverBatch', this.#pack()).catch(() => undefined);
  }

  async #deliver(): Promise<void> {
    await endOfTurn();
    this.#delivery = undefined;
    await this.#rpc.ask('deliverBatch', this.#pack());
  }

  /** Sends lines and counts without a reply. If records wait, their delivery includes them. */
  #send(): void {
    if (this.#records.length === 0) this.#rpc.notify('deliverBatch', this.#pack());
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#send();
    }, MAX_DELAY_MS);
  }

  #pack(): IpcBatch {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [records, answered, overloads, lines] = [
      this.#records,
      this.#answered,
      this.#overloads,
      this.#lines,
    ];
    [this.#records, this.#answered, this.#overloads, this.#lines] = [[], [], [], []];
    return {
      ...(records.length > 0 && { records }),
      ...(answered.length > 0 && { answered }),
      ...(overloads.length > 0 && { overloads }),
      ...(lines.length > 0 && { lines }),
    };
  }
}
