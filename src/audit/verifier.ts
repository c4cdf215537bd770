import { CHAIN_START, type ChainedRecord, type ChainHead } from '../core/audit-chain.js';
import type { AuditKey, KeyComparison } from './key.js';
import { beginOutcome, tornOutcome } from './self-audit.js';

/** One entry of the trail, in the order of the trail. */
export interface Found {
  /** Location for people: `line 7`, `id 7`. */
  readonly place: string;
  /** Absent if the entry is not a record. */
  readonly record?: ChainedRecord;
  /** True for a record from before the chain. */
  readonly isFormer?: boolean;
  /** In a file: the line with its line feed, and its offset. */
  readonly bytes?: Uint8Array;
  readonly start?: number;
}

export type BreakKind = 'changed' | 'removed' | 'inserted' | 'torn';

/** The first location where the trail differs from what was written. */
export interface Break {
  readonly place: string;
  readonly kind: BreakKind;
  readonly message: string;
}

/** Result of a verification. */
export interface ChainVerification {
  readonly whole: boolean;
  /** Number of records in the chain. */
  readonly records: number;
  readonly first: number;
  /** The last record. An auditor who saves it can prove later that it existed. */
  readonly last: ChainHead;
  /** Number of lines or rows from before the chain, which cannot be verified. */
  readonly unchained: number;
  /** Locations of lines that a crash has torn, and that the trail itself reports. */
  readonly torn: readonly string[];
  readonly break?: Break;
}

/** Number of consecutive lines without a record after which the verification stops. */
const UNREADABLE = 1000;

interface Unreadable {
  readonly place: string;
  readonly weighing: KeyComparison;
  count: number;
}

/** Verifies one chain, across any number of files. */
export class Verifier {
  readonly #key: AuditKey;
  /** Hashes of records that must exist unchanged, by sequence number. */
  readonly #anchors: Map<number, string>;
  #head: ChainHead | undefined;
  #first = 0;
  #records = 0;
  #unchained = 0;
  #unreadable: Unreadable | undefined;
  readonly #torn: string[] = [];
  #break: Break | undefined;

  constructor(key: AuditKey, anchors: readonly ChainHead[]) {
    this.#key = key;
    this.#anchors = new Map(anchors.filter(({ seq }) => seq > 0).map(({ seq, hash }) => [seq, hash]));
  }

  /** Takes the next entry. Returns false after the first break, when no further entries are needed. */
  take(found: Found): boolean {
    const { record } = found;
    if (record && this.#isSealed(record)) this.#takeRecord(record, found);
    else if (found.isFormer && !this.#head) this.#unchained += 1;
    else this.#takeUnreadable(found);
    const { place, count = 0 } = this.#unreadable ?? {};
    if (place !== undefined && count >= UNREADABLE)
      this.#broken('changed', place, `it and ${UNREADABLE - 1} lines behind it are no records`);
    return this.#break === undefined;
  }

  /** Ends a file. `isTorn` is true if an incomplete line follows the last line feed of the file. */
  endPart(isTorn: boolean): boolean {
    const { place, count } = this.#unreadable ?? {};
    if (place !== undefined) {
      if (isTorn && count === 1)
        this.#broken('torn', place, 'the line has no end; the next start of the server tells of it');
      else this.#broken('changed', place, 'it is not as it was written');
    }
    return this.#break === undefined;
  }

  /** Returns the result; all parts must have ended. */
  end(): ChainVerification {
    const [missing] = this.#anchors.keys();
    const last = this.#head ?? CHAIN_START;
    if (missing !== undefined && !this.#break) {
      const where = missing < this.#first ? 'an older file may hold it' : 'the trail ends before it';
      this.#broken('removed', `record ${missing}`, `the record is not here: ${where}`);
    }
    return {
      whole: this.#break === undefined,
      records: this.#records,
      first: this.#first,
      last,
      unchained: this.#unchained,
      torn: this.#torn,
      ...(this.#break && { break: this.#break }),
    };
  }

  #isSealed(record: ChainedRecord): boolean {
    return this.#key.seal(record) === record.hash;
  }

  #takeUnreadable({ place, bytes }: Found): void {
    this.#unreadable ??= { place, weighing: this.#key.compareKey(), count: 0 };
    this.#unreadable.count += 1;
    if (bytes) this.#unreadable.weighing.add(bytes);
  }

  #takeRecord(record: ChainedRecord, found: Found): void {
    if (!this.#head) this.#begin(record, found);
    else if (this.#unreadable) this.#explain(record, this.#unreadable, this.#head);
    else this.#follow(record, found.place, this.#head);
    this.#compare(record, found.place);
    if (this.#break) return;
    this.#head = { seq: record.seq, hash: record.hash };
    this.#records += 1;
  }

  /**
   * Starts the chain. The first record must state what precedes it in the file and in the chain, unless it is
   * the very first one.
   */
  #begin(record: ChainedRecord, { place, start = 0 }: Found): void {
    const { count = 0 } = this.#unreadable ?? {};
    const tells = record.operation === 'audit.begin' && record.outcome === beginOutcome(start);
    if (!tells && !(start === 0 && count === 0 && this.#follows(record))) {
      this.#misbegun(record, this.#unreadable ?? { place, count });
      return;
    }
    this.#first = record.seq;
    this.#unchained += count;
    this.#unreadable = undefined;
  }

  #misbegun({ seq }: ChainedRecord, { place, count }: Pick<Unreadable, 'place' | 'count'>): void {
    if (count > 0 && seq === count + 1) this.#broken('changed', place, 'it is not as it was written');
    else if (seq === 1) this.#broken('inserted', place, 'the chain began without it');
    else this.#broken('removed', place, `the chain begins with record ${seq}; what was before is gone`);
  }

  /** Returns true for the very first record, and for a record that follows one known to the caller. */
  #follows({ seq, prev }: ChainedRecord): boolean {
    return seq === 1 || (this.#anchors.get(seq - 1) === prev && this.#anchors.delete(seq - 1));
  }

  /** After lines that are not records, accepts only a record that reports them. */
  #explain(record: ChainedRecord, { place, weighing }: Unreadable, head: ChainHead): void {
    const isNext = record.seq === head.seq + 1 && record.prev === head.hash;
    const tells = record.operation === 'audit.torn' && record.outcome === tornOutcome(weighing.end());
    this.#unreadable = undefined;
    if (isNext && tells) this.#torn.push(place);
    else if (isNext)
      this.#broken('inserted', place, `it was not there when record ${record.seq} was written`);
    else this.#broken('changed', place, 'it is not as it was written');
  }

  #follow(record: ChainedRecord, place: string, head: ChainHead): void {
    const expected = head.seq + 1;
    const { seq } = record;
    if (seq > expected) this.#broken('removed', place, `before it, ${range(expected, seq - 1)} gone`);
    else if (seq < expected)
      this.#broken('inserted', place, `it is record ${seq}, and ${expected} is next: it stood elsewhere`);
    else if (record.prev !== head.hash)
      this.#broken('changed', place, `it follows on another record ${head.seq} than the one that is here`);
    else if (record.operation === 'audit.torn')
      this.#broken('removed', place, 'the torn line that it tells of is gone');
  }

  #compare({ seq, hash }: ChainedRecord, place: string): void {
    const anchor = this.#anchors.get(seq);
    if (anchor === undefined) return;
    this.#anchors.delete(seq);
    if (anchor !== hash) this.#broken('changed', place, `record ${seq} is another one than it was`);
  }

  #broken(kind: BreakKind, place: string, message: string): void {
    this.#break ??= { place, kind, message };
  }
}

function range(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}
