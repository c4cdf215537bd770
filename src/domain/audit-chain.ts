import type { AuditRecord } from './audit.js';

/** A record in its place of the chain. */
export interface ChainedRecord extends AuditRecord {
  /** 1, 2, 3, ... without gaps. */
  readonly seq: number;
  /** `hash` of the record before; empty for the first. */
  readonly prev: string;
  /** Seal over everything else, 64 hexadecimal digits. */
  readonly hash: string;
}

/** The last record of a chain, as far as the next one has to know it. */
export type ChainHead = Pick<ChainedRecord, 'seq' | 'hash'>;

/** Before the first record. */
export const CHAIN_START: ChainHead = { seq: 0, hash: '' };

/** Makes the `hash` of a record: nobody makes or changes one without the installation's key. */
export type Seal = (record: Omit<ChainedRecord, 'hash'>) => string;

/** Records as the next ones of a chain. */
export function chained(
  records: readonly AuditRecord[],
  head: ChainHead,
  seal: Seal,
): readonly ChainedRecord[] {
  let last = head;
  return records.map((record) => {
    const open = { ...record, seq: last.seq + 1, prev: last.hash };
    const link = { ...open, hash: seal(open) };
    last = link;
    return link;
  });
}
