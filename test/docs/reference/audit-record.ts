import type { JsonSchema } from '../../../src/core/schema.js';
import type { SelfAuditEvent } from '../../../src/features/audit/trail/self-audit.js';
import { auditRecordSchema } from '../../../src/features/lib/audit-schema.js';
import type { ReferencePage } from './page.js';
import { typeOf } from './schema-types.js';
import { blocks, code, prose, table } from './write-markdown.js';

const RULES = `A record contains no body and no secret. A \`reason\` may repeat a name or a value that the caller sent.
A digest is an HMAC-SHA256 over canonical JSON (sorted members) with the key of the installation: equal states have equal digests.
A call through the pass-through has two records: one with the status 0 and the outcome \`began\`, and one at its end.`;

/** The events of the trail. The compiler checks that none is missing. */
const EVENTS: Readonly<Record<SelfAuditEvent['operation'], string>> = {
  'audit.begin': 'The chain starts, after older lines without a chain, or continues in a new file.',
  'audit.torn': 'A crash left an incomplete line before this record. No caller got a response for it.',
  'audit.verify':
    'The server verified the chain. The outcome has the last verified record, or the first break.',
  'audit.resume':
    'Records could not be stored for the time in `durationMs`. The outcome has the number of calls without a record.',
};

export const auditRecord: ReferencePage = {
  file: 'audit-record.md',
  title: 'Audit record',
  about: 'The members of a record of the audit trail, as `GET /audit` and the exports return it.',
  body: () => blocks(RULES, '## Members', members(), '## Operations', operations()),
};

function members(): string {
  const required: readonly string[] = auditRecordSchema.required;
  const rows = Object.entries(auditRecordSchema.properties).map(([name, schema]) => [
    code(name),
    typeOf(schema as JsonSchema),
    required.includes(name) ? 'yes' : '',
    `${prose(schema.description)}.`,
  ]);
  return table(['Member', 'Type', 'Always present', 'Meaning'], rows);
}

function operations(): string {
  const rows = Object.entries(EVENTS).map(([name, meaning]) => [code(name), meaning]);
  return blocks(
    'The member `operation` has the name of an audited operation of [Operations](operations.md), or an event of the trail itself. An event has the subject `gatehouse`.',
    table(['Event', 'Meaning'], rows),
  );
}
