import type { Break, BreakKind, ChainVerification } from '../audit-trail.js';
import { CHAIN_START, type ChainedRecord, type ChainHead } from '../chain.js';
import type { AuditKey, ByteDigest } from './key.js';
import { beginOutcome, tornOutcome } from './self-audit.js';

/** One line or row of an audit trail. */
export interface TrailEntry {
  /** Location of the entry for people: `line 7`, `id 7`. */
  readonly place: string;
  /** The record; absent if the entry is not a record of a chain. */
  readonly record?: ChainedRecord;
  /** True for a record that was written before the trail had a chain. */
  readonly isFormer?: boolean;
  /** In a file: the line with its line feed. */
  readonly bytes?: Uint8Array;
  /** In a file: the offset of the line. */
  readonly start?: number;
}

/** Number of consecutive lines without a record at which the verification stops. */
const MAX_UNREADABLE_LINES = 1000;

interface Unreadable {
  readonly place: string;
  readonly digest: ByteDigest;
  count: number;
}

/** Verifies one chain, also across several files. */
export class Verifier {
  readonly #key: AuditKey;
  /** Hashes, by sequence number, of records that must exist unchanged. */
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

  /** Verifies the next entry. Returns false after the first break, because later entries do not matter. */
  take(entry: TrailEntry): boolean {
    const { record } = entry;
    if (record && this.#hasValidSeal(record)) this.#takeRecord(record, entry);
    else if (entry.isFormer && !this.#head) this.#unchained += 1;
    else this.#takeUnreadable(entry);
    const { place, count = 0 } = this.#unreadable ?? {};
    if (place !== undefined && count >= MAX_UNREADABLE_LINES)
      this.#broken('changed', place, `it and ${MAX_UNREADABLE_LINES - 1} lines after it are not records`);
    return this.#break === undefined;
  }

  /**
   * Ends a file. `isTorn` means that an incomplete line follows the last line feed of the file. Returns false
   * after a break.
   */
  endPart(isTorn: boolean): boolean {
    const { place, count } = this.#unreadable ?? {};
    if (place !== undefined) {
      if (isTorn && count === 1)
        this.#broken('torn', place, 'the line is incomplete; the next start of the server records it');
      else this.#broken('changed', place, 'its content was changed');
    }
    return this.#break === undefined;
  }

  /** Returns the result. The caller must have ended all files. */
  end(): ChainVerification {
    const [missing] = this.#anchors.keys();
    const last = this.#head ?? CHAIN_START;
    if (missing !== undefined && !this.#break) {
      const advice = missing < this.#first ? 'an older file may contain it' : 'the trail ends before it';
      this.#broken('removed', `record ${missing}`, `the record is missing: ${advice}`);
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

  #hasValidSeal(record: ChainedRecord): boolean {
    return this.#key.seal(record) === record.hash;
  }

  #takeUnreadable({ place, bytes }: TrailEntry): void {
    this.#unreadable ??= { place, digest: this.#key.startByteDigest(), count: 0 };
    this.#unreadable.count += 1;
    if (bytes) this.#unreadable.digest.add(bytes);
  }

  #takeRecord(record: ChainedRecord, entry: TrailEntry): void {
    if (!this.#head) this.#begin(record, entry);
    else if (this.#unreadable) this.#takeReport(record, this.#unreadable, this.#head);
    else this.#follow(record, entry.place, this.#head);
    this.#compare(record, entry.place);
    if (this.#break) return;
    this.#head = { seq: record.seq, hash: record.hash };
    this.#records += 1;
  }

  /**
   * Verifies the first record of the chain. The record must report the bytes before it in the file, unless
   * the file starts with the record and the record is the first of the chain or follows an anchor.
   */
  #begin(record: ChainedRecord, { place, start = 0 }: TrailEntry): void {
    const { count = 0 } = this.#unreadable ?? {};
    const reports = record.operation === 'audit.begin' && record.outcome === beginOutcome(start);
    if (!reports && !(start === 0 && count === 0 && this.#follows(record))) {
      this.rejectStart(record, this.#unreadable ?? { place, count });
      return;
    }
    this.#first = record.seq;
    this.#unchained += count;
    this.#unreadable = undefined;
  }

  rejectStart({ seq }: ChainedRecord, { place, count }: Pick<Unreadable, 'place' | 'count'>): void {
    if (count > 0 && seq === count + 1) this.#broken('changed', place, 'its content was changed');
    else if (seq === 1) this.#broken('inserted', place, 'the chain began without it');
    else
      this.#broken('removed', place, `the chain begins with record ${seq}; the earlier records are missing`);
  }

  /** Returns true for the first record of the chain, and for a record that follows an anchor. */
  #follows({ seq, prev }: ChainedRecord): boolean {
    return seq === 1 || (this.#anchors.get(seq - 1) === prev && this.#anchors.delete(seq - 1));
  }

  /** Verifies a record after lines that are not records: the record must report these lines. */
  #takeReport(record: ChainedRecord, { place, digest }: Unreadable, head: ChainHead): void {
    const isNext = record.seq === head.seq + 1 && record.prev === head.hash;
    const reports = record.operation === 'audit.torn' && record.outcome === tornOutcome(digest.end());
    this.#unreadable = undefined;
    if (isNext && reports) this.#torn.push(place);
    else if (isNext)
      this.#broken('inserted', place, `it was not there when record ${record.seq} was written`);
    else this.#broken('changed', place, 'its content was changed');
  }

  #follow(record: ChainedRecord, place: string, head: ChainHead): void {
    const expected = head.seq + 1;
    const { seq } = record;
    if (seq > expected) this.#broken('removed', place, `before it, ${range(expected, seq - 1)} missing`);
    else if (seq < expected)
      this.#broken('inserted', place, `it is record ${seq}, but record ${expected} is expected`);
    else if (record.prev !== head.hash)
      this.#broken('changed', place, `its link does not match record ${head.seq}`);
    else if (record.operation === 'audit.torn')
      this.#broken('removed', place, 'the torn line that it reports is missing');
  }

  #compare({ seq, hash }: ChainedRecord, place: string): void {
    const anchor = this.#anchors.get(seq);
    if (anchor === undefined) return;
    this.#anchors.delete(seq);
    if (anchor !== hash) this.#broken('changed', place, `record ${seq} differs from the known record`);
  }

  #broken(kind: BreakKind, place: string, message: string): void {
    this.#break ??= { place, kind, message };
  }
}

function range(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}
