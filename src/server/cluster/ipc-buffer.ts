import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { AuditTrail } from '../../core/audit-trail.js';
import type { AuditRecord } from '../../core/audit.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { OverloadReason } from '../../http/overload/overload-detector.js';
import type { GatedEntry } from '../../telemetry/log/batch-writer.js';
import type { RpcChannel } from './rpc.js';
import type { MainRpc, IpcBatch } from './protocol.js';

/** What a worker has to tell the main process: records at the end of this turn, the rest with them or a little later. */
export interface IpcBuffer {
  /** Keeps records in the one trail; see {@link AuditTrail}. */
  readonly audit: Pick<AuditTrail, 'append' | 'writable' | 'digest'>;
  /** The next action waits until the main process says that the trail works. */
  readonly markAuditSuspect: () => void;
  readonly answered: (answered: AnsweredRequest) => void;
  readonly turnedAway: (strain: OverloadReason) => void;
  readonly line: (entry: GatedEntry) => void;
  /** Sends what is left, and resolves when it has arrived. */
  readonly flush: () => Promise<void>;
}

/** Longest time that lines and counts wait, in milliseconds: a message costs more than what is in it. */
const PACE_MS = 10;
/** Most lines that wait. */
const MOST = 256;

/** Makes an empty outbox. */
export function createIpcBuffer(rpc: RpcChannel<MainRpc>): IpcBuffer {
  const box = new BatchingBuffer(rpc);
  let isSound = true;
  return {
    audit: {
      async append(record) {
        try {
          await box.keep(record);
        } catch (error) {
          isSound = false;
          throw error;
        }
      },
      async writable() {
        if (!isSound) isSound = await rpc.ask('isAuditWritable', null);
        return isSound;
      },
      // Calls change no state that is kept here.
      digest: () => '',
    },
    markAuditSuspect: () => {
      isSound = false;
    },
    answered: (answered) => {
      box.answered(answered);
    },
    turnedAway: (strain) => {
      box.turnedAway(strain);
    },
    line: (entry) => {
      box.line(entry);
    },
    flush: () => box.flush(),
  };
}

class BatchingBuffer {
  readonly #rpc: RpcChannel<MainRpc>;
  #records: AuditRecord[] = [];
  #answered: AnsweredRequest[] = [];
  #turnedAway: OverloadReason[] = [];
  #lines: GatedEntry[] = [];
  /** The delivery that the records of this turn go with. */
  #delivery: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(rpc: RpcChannel<MainRpc>) {
    this.#rpc = rpc;
  }

  keep(record: AuditRecord): Promise<void> {
    this.#records.push(record);
    return (this.#delivery ??= this.#deliver());
  }

  answered(answered: AnsweredRequest): void {
    this.#answered.push(answered);
    this.#tellSoon();
  }

  turnedAway(strain: OverloadReason): void {
    this.#turnedAway.push(strain);
    this.#tellSoon();
  }

  line(entry: GatedEntry): void {
    this.#lines.push(entry);
    // The process may end now.
    const isUrgent = entry.level === 'error' || entry.level === 'warn';
    if (isUrgent || this.#lines.length >= MOST) this.#tell();
    else this.#tellSoon();
  }

  async flush(): Promise<void> {
    await this.#delivery?.catch(() => undefined);
    await this.#rpc.ask('deliver', this.#pack()).catch(() => undefined);
  }

  async #deliver(): Promise<void> {
    await endOfTurn();
    this.#delivery = undefined;
    await this.#rpc.ask('deliver', this.#pack());
  }

  /** What nobody waits for; with records it goes when they do. */
  #tell(): void {
    if (this.#records.length === 0) this.#rpc.notify('deliver', this.#pack());
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#tell();
    }, PACE_MS);
  }

  #pack(): IpcBatch {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [records, answered, turnedAway, lines] = [
      this.#records,
      this.#answered,
      this.#turnedAway,
      this.#lines,
    ];
    [this.#records, this.#answered, this.#turnedAway, this.#lines] = [[], [], [], []];
    return {
      ...(records.length > 0 && { records }),
      ...(answered.length > 0 && { answered }),
      ...(turnedAway.length > 0 && { turnedAway }),
      ...(lines.length > 0 && { lines }),
    };
  }
}
