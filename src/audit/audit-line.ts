import type { ChainedRecord } from '../core/audit-chain.js';
import type { AuditEntry } from '../core/audit-query.js';
import { AUDIT_FIELDS, type AuditRecord } from '../core/audit.js';

const MEMBERS: readonly (keyof ChainedRecord)[] = [...AUDIT_FIELDS, 'prev', 'hash'];

/**
 * Returns a record as one line of JSON without its line feed. Characters that could break a line or a
 * terminal are escaped.
 */
export function auditLine(record: ChainedRecord): string {
  // Every audited call writes a line; letting JSON.stringify select the members takes four times as long.
  const members = MEMBERS.map((name) => `,"${name}":${JSON.stringify(record[name])}`);
  return printable(`{"seq":${record.seq}${members.join('')}}`);
}

function printable(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses a line: a record of the chain, a record from before the chain, or `undefined` for anything else. */
export function readAuditLine(bytes: Buffer): ChainedRecord | AuditEntry | undefined {
  const value = parse(bytes);
  if (!isFormer(value)) return undefined;
  if (!('hash' in value)) return { before: '', after: '', ...value };
  // Each record has only one spelling, so that no byte can be changed unnoticed.
  return isChained(value) && bytes.equals(Buffer.from(auditLine(value))) ? value : undefined;
}

/** Returns true for a record of the chain, whether its seal is valid or not. */
export function isChained(value: object): value is ChainedRecord {
  const { seq, ...rest } = value as Record<keyof ChainedRecord, unknown>;
  const texts = [rest.before, rest.after, rest.prev, rest.hash];
  return Number.isSafeInteger(seq) && texts.every((text) => typeof text === 'string');
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

const TEXTS = ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'outcome'] as const;
const NUMBERS = ['status', 'durationMs'] as const;

/** Returns true for an object with the members that every record has always had. */
function isFormer(value: unknown): value is Omit<AuditRecord, 'before' | 'after'> {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  return (
    TEXTS.every((name) => typeof record[name] === 'string') &&
    NUMBERS.every((name) => typeof record[name] === 'number')
  );
}
