import type { AuditRecord } from '../../core/audit.js';

/** Members of every record, in the order in which a record is written and sealed. */
export const AUDIT_FIELDS = [
  'time',
  'requestId',
  'operation',
  'subject',
  'issuer',
  'target',
  'status',
  'outcome',
  'durationMs',
  'before',
  'after',
] as const satisfies readonly (keyof AuditRecord)[];

/** Members of some records, in the order in which they follow those of every record. */
export const OPTIONAL_AUDIT_FIELDS = [
  'name',
  'clientAddress',
  'reason',
] as const satisfies readonly (keyof AuditRecord)[];

/** Sequence number and hash of a record of a chain. */
export interface ChainHead {
  /** Sequence number: 1, 2, 3, ... without gaps. */
  readonly seq: number;
  /** Seal over all other members of the record, 64 hexadecimal digits. */
  readonly hash: string;
}

/** Position of a record in the chain. */
export interface ChainLink extends ChainHead {
  /** `hash` of the previous record; empty for the first record. */
  readonly prev: string;
}

/** An audit record with its position in the chain. */
export interface ChainedRecord extends AuditRecord, ChainLink {}

/** Head of an empty chain. */
export const CHAIN_START: ChainHead = { seq: 0, hash: '' };

/** Computes the `hash` of a record with the key of the installation. */
export type Seal = (record: Omit<ChainedRecord, 'hash'>) => string;

/** Returns the records as the next links of a chain. */
export function chained(
  records: readonly AuditRecord[],
  head: ChainHead,
  seal: Seal,
): readonly ChainedRecord[] {
  let last = head;
  return records.map((record) => {
    const link = linkAfter(last, record);
    link.hash = seal(link);
    last = link;
    return link;
  });
}

type OptionalField = (typeof OPTIONAL_AUDIT_FIELDS)[number];

/**
 * Creates the link that follows a head. Copies each member explicitly, because every audited call creates a
 * link, and an object with a spread is slower to create and to read.
 */
function linkAfter(
  { seq, hash }: ChainHead,
  record: AuditRecord,
): Omit<ChainedRecord, 'hash'> & { hash: string } {
  const link: Omit<ChainedRecord, 'hash' | OptionalField> & {
    hash: string;
    name?: string;
    clientAddress?: string;
    reason?: string;
  } = {
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
  if (record.name !== undefined) link.name = record.name;
  if (record.clientAddress !== undefined) link.clientAddress = record.clientAddress;
  if (record.reason !== undefined) link.reason = record.reason;
  return link;
}
