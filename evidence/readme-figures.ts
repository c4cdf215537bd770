import { figure } from './figure.js';
import type { EvidenceRecord, Records } from './records.js';

/** The figures of one group that README quotes. */
interface QuotedFigures {
  readonly group: string;
  readonly says: (of: ReturnType<typeof figure>, record: EvidenceRecord) => string;
}

interface Calls {
  readonly calls: number;
  readonly failed: Readonly<Record<string, number>>;
}

const ROTATED = ['kv', 'leases', 'static-role', 'revocation'];

const QUOTED: readonly QuotedFigures[] = [
  {
    group: 'rotation',
    says: (of, record) => {
      const parts = ROTATED.map((name) => record[name] as Calls);
      const calls = parts.reduce((sum, part) => sum + part.calls, 0);
      const failed = parts
        .flatMap((part) => Object.values(part.failed))
        .reduce((sum, count) => sum + count, 0);
      return `Credentials rotated every ${of('periodSeconds')} seconds: of ${calls.toLocaleString('en')} calls, ${failed} failed.`;
    },
  },
  {
    group: 'paths',
    says: (of) =>
      `Of ${of('generated')} generated paths, ${of('generatedEscaped')} reached another path of the orchestrator.`,
  },
  {
    group: 'crash',
    says: (of) =>
      `In ${of('crashes')} crashes of the store, ${of('lost')} of ${of('acknowledged')} acknowledged writes were lost.`,
  },
  {
    group: 'audit',
    says: (of) =>
      `Of ${of('changed.changes')} changed bytes in audit records, ${of('changed.unnoticed')} were unnoticed.`,
  },
  {
    group: 'restarts',
    says: (of) =>
      `Over ${of('reloads')} reloads and ${of('restarts')} restarts, ${of('failed')} of ${of('calls')} calls failed.`,
  },
  {
    group: 'yang',
    says: (of) =>
      `The compiler and yanglint agreed on ${of('checked.agreed')} of ${of('checked.documents')} documents by JSON Schema, and on ${of('rules.agreed')} of ${of('rules.documents')} by all rules, of ${of('rules.modules')} modules. Not counted are ${of('checked.explained')} and ${of('rules.explained')} documents whose difference has its reason in a file.`,
  },
];

/** Returns the figures that README quotes, each below a heading with the name of its group, to which README links. */
export function quotedFigures(records: Records): string {
  return QUOTED.map(({ group, says }) => {
    const record = records[group];
    const text = record
      ? `${says(figure(records, group), record)} Measured with ${record.version} on ${record.date}.`
      : 'Not measured yet.';
    return `### ${group}\n\n${text}`;
  }).join('\n\n');
}
