import type { AuditRecord, AuditTrail } from '../domain/audit.js';
import { type Clock, systemClock } from '../domain/clock.js';
import type { AuditSettings } from '../domain/settings.js';
import { LineFile } from './line-file.js';
import { type AuditSink, watchSink } from './watch-sink.js';

export interface AuditDeps {
  /** Needed for durability `store`. */
  readonly store?: { appendAudit(record: AuditRecord): Promise<void> };
  readonly clock?: Clock;
}

/**
 * Opens the audit trail where the settings say: lines of JSON in a file (mode 0600, folder 0700, a torn last line
 * closed), or rows of the store. `append` throws `audit_unavailable` when the record could not be kept.
 */
export async function openAuditTrail(settings: AuditSettings, deps: AuditDeps): Promise<AuditTrail> {
  const sink = settings.durability === 'store' ? storeSink(deps.store) : await fileSink(settings);
  return watchSink(sink, deps.clock ?? systemClock);
}

async function fileSink({ file, durability }: AuditSettings): Promise<AuditSink> {
  const lines = await LineFile.open(file, { sync: durability === 'fsync' });
  return {
    append: (record) => lines.append(auditLine(record)),
    close: () => lines.close(),
  };
}

function storeSink(store: AuditDeps['store']): AuditSink {
  if (!store)
    throw new Error('audit.durability "store" needs a store: set storage.url, or use "written" or "fsync".');
  let last: Promise<unknown> = Promise.resolve();
  return {
    // One after the other, so that rows keep the order of the calls.
    append: (record) => {
      const row = last.then(() => store.appendAudit(record));
      last = row.catch(() => undefined);
      return row;
    },
    close: async () => {
      await last;
    },
  };
}

const COLUMNS: readonly (keyof AuditRecord)[] = [
  'time',
  'requestId',
  'operation',
  'subject',
  'issuer',
  'target',
  'status',
  'outcome',
  'durationMs',
];

/** One line of JSON without its line feed. What could break a line or a terminal is escaped. */
function auditLine(record: AuditRecord): string {
  const json = JSON.stringify(record, [...COLUMNS]);
  return json.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
