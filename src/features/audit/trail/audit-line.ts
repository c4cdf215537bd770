import type { AuditRecord } from '../../../core/audit.js';
import { printableJsonValue as json } from '../../../lib/escape-unprintable.js';
import type { AuditEntry } from '../audit-trail.js';
import { type ChainedRecord, OPTIONAL_AUDIT_FIELDS } from '../chain.js';

/**
 * Returns a record as one line of JSON without its line feed. Characters that could break a line or a
 * terminal are escaped.
 */
export function auditLine(record: ChainedRecord): string {
  const { seq, time, requestId, operation, subject, issuer, target, status, outcome, durationMs } = record;
  const { before, after, name, clientAddress, reason, prev, hash } = record;
  // Every audited call writes a line: a list of members and JSON.stringify take five times as long.
  let line = `{"seq":${seq},"time":${json(time)},"requestId":${json(requestId)},"operation":${json(operation)}`;
  line += `,"subject":${json(subject)},"issuer":${json(issuer)},"target":${json(target)}`;
  line += `,"status":${json(status)},"outcome":${json(outcome)},"durationMs":${json(durationMs)}`;
  line += `,"before":${json(before)},"after":${json(after)}`;
  if (name !== undefined) line += `,"name":${json(name)}`;
  if (clientAddress !== undefined) line += `,"clientAddress":${json(clientAddress)}`;
  if (reason !== undefined) line += `,"reason":${json(reason)}`;
  return `${line},"prev":${json(prev)},"hash":${json(hash)}}`;
}

/** Parses a line as a record with or without a chain; returns `undefined` for any other line. */
export function readAuditLine(bytes: Buffer): ChainedRecord | AuditEntry | undefined {
  const value = parse(bytes);
  if (!isRecord(value)) return undefined;
  if (!('hash' in value)) return { before: '', after: '', ...value };
  // A chained record has only one valid spelling, so that the verification detects every changed byte.
  return isChained(value) && bytes.equals(Buffer.from(auditLine(value))) ? value : undefined;
}

/** Returns true for a record with the members of a chain; does not check its seal. */
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

const TEXT_MEMBERS = ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'outcome'] as const;
const NUMBER_MEMBERS = ['status', 'durationMs'] as const;

/** Returns true for an object with the members that all versions of a record have. */
function isRecord(value: unknown): value is Omit<AuditRecord, 'before' | 'after'> {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  return (
    TEXT_MEMBERS.every((name) => typeof record[name] === 'string') &&
    OPTIONAL_AUDIT_FIELDS.every((name) => ['string', 'undefined'].includes(typeof record[name])) &&
    NUMBER_MEMBERS.every((name) => typeof record[name] === 'number')
  );
}
