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
    const link = linkBehind(last, record);
    link.hash = seal(link);
    last = link;
    return link;
  });
}

/** Member by member: every audited call makes one, and a spread with more behind it is slow to make and to read. */
function linkBehind(
  { seq, hash }: ChainHead,
  record: AuditRecord,
): Omit<ChainedRecord, 'hash'> & { hash: string } {
  return {
    time: record.time,
    requestId: record.requestId,
    operation: record.operation,
    subject: record.subject,
    issuer: record.issuer,
    target: record.target,
    status: record.status,
    outcome: record.outcome,
    durationMs: record.durationMs,
    before: record.before,
    after: record.after,
    seq: seq + 1,
    prev: hash,
    hash: '',
  };
}
