import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { AuditRecord } from '../../core/audit.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { OverloadReason } from '../../http/overload/overload-detector.js';
import { GrowingRoom } from '../../lib/growing-room.js';
import type { GatedEntry } from '../../telemetry/log/line.js';
import type { MainRpc, IpcBatch } from './protocol.js';
import type { RpcChannel } from './rpc.js';

/**
 * Buffer of the messages from a worker to the main process. It sends audit records at the end of the current event loop
 * turn, or after the records before them are kept, and all other messages with them or a little later.
 */
interface IpcBuffer {
  /** Appends records to the trail of the main process; see {@link AuditTrail}. */
  readonly audit: Pick<AuditTrail, 'reserve' | 'release' | 'append' | 'appendOrKeep' | 'digest'>;
  /** Makes the next action wait until the main process confirms that the trail has room. */
  readonly markAuditSuspect: () => void;
  readonly countAnswered: (request: AnsweredRequest) => void;
  readonly countOverload: (reason: OverloadReason) => void;
  readonly writeLine: (entry: GatedEntry) => void;
  /** Sends the remaining messages; resolves when the main process has received them. */
  readonly flush: () => Promise<void>;
}

/** Maximum time that lines and counts wait, in milliseconds. Batches are cheaper than single messages. */
const MAX_DELAY_MS = 10;
/** Room for audit records that a worker leases at a time, in bytes. */
const LEASE_BYTES = 262_144;
/** Maximum number of lines that wait. */
const MAX_LINES = 256;

/** Creates an empty buffer. */
export function createIpcBuffer(rpc: RpcChannel<MainRpc>): IpcBuffer {
  let isAuditWritable = true;
  const buffer = new BatchingBuffer(rpc, () => {
    isAuditWritable = false;
  });
  const room = new GrowingRoom(LEASE_BYTES, (bytes) => rpc.ask('leaseAuditRoom', bytes));
  const reserveLater = async (bytes: number): Promise<boolean> => {
    isAuditWritable = await rpc.ask('isAuditWritable', null);
    return isAuditWritable && room.hold(bytes);
  };
  return {
    audit: {
      async append(record, reserved = 0) {
        try {
          await buffer.append(record);
        } finally {
          room.release(reserved);
        }
      },
      // Only the main process serves operations that take rights away.
      appendOrKeep: (record) =>
        buffer.append(record).then(
          () => true,
          () => false,
        ),
      reserve: (bytes) => (isAuditWritable ? room.hold(bytes) : reserveLater(bytes)),
      release: (bytes) => {
        room.release(bytes);
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
  /** The delivery of the records that wait. */
  #delivery: Promise<void> | undefined;
  /** The delivery that the main process has not confirmed; never rejects. */
  #unconfirmed: Promise<void> = Promise.resolve();
  readonly #onLost: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onLost` is called when records could not be delivered. */
  constructor(rpc: RpcChannel<MainRpc>, onLost: () => void) {
    this.#rpc = rpc;
    this.#onLost = onLost;
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

  /**
   * Delivers the records of this turn, and those that are added until the previous delivery is confirmed. The main process would
   * only keep them until it has written those before, so that one message for all of them delays none.
   */
  async #deliver(): Promise<void> {
    await endOfTurn();
    await this.#unconfirmed;
    this.#delivery = undefined;
    const delivered = this.#rpc.ask('deliverBatch', this.#pack());
    this.#unconfirmed = delivered.catch(this.#onLost);
    await delivered;
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
