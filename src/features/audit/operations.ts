import type { Application, Operation } from '../../core/operation.js';
import { auditRecordSchema } from '../lib/audit-schema.js';
import { auditQuerySchema, describeFilters, parseAuditQuery } from './audit-query.js';
import type { AuditTrail } from './audit-trail.js';
import { exportAuditCsv, exportAuditJsonLines, type ExportDeps } from './export.js';
import { changesOf, recordChangesSchema, type RecordVersions } from './record-changes.js';
import { getVerification, startVerification, type VerificationDeps } from './verification.js';

interface AuditSearchDeps {
  readonly findAudit: AuditTrail['find'];
  readonly versions: RecordVersions;
}

/** Dependencies of the application: read access to the audit trail, and its verification. */
export type AuditAppDeps = AuditSearchDeps & ExportDeps & VerificationDeps;

const replySchema = {
  title: 'Audit records',
  type: 'object',
  required: ['results'],
  properties: {
    results: { type: 'array', items: auditRecordSchema, description: 'Newest first' },
    next: {
      type: 'string',
      description: 'Value of `before` for the next page; absent if there are no older records',
    },
    partial: {
      const: true,
      description: 'The search stopped before the page was full; continue with `next`',
    },
    changes: recordChangesSchema,
  },
} as const;

/** Searches the audit trail. The audit record of the search names the filters, but not their values. */
const getAudit: Operation<AuditSearchDeps> = {
  id: 'getAudit',
  summary: 'Search the audit trail, newest records first.',
  description:
    'Returns the audit records that match all filters, newest first. The search itself is audited. `changes` needs the roles of the operations that return versions, and leaves out the others.',
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  query: auditQuerySchema,
  reply: replySchema,
  audited: true,
  async handle({ query, principal }, { findAudit, versions }) {
    const { changes: asked, ...search } = parseAuditQuery(query);
    const page = await findAudit(search);
    const changes = asked && (await changesOf(page.results, principal, versions));
    return {
      body: { ...page, ...(changes && { changes }) },
      outcome: `${page.results.length} records${describeFilters(query)}`,
    };
  },
};

/** The application that searches the audit trail. */
export const audit: Application<AuditAppDeps> = {
  name: 'audit',
  summary: 'Search, export and verify the records of who called which operation, with the outcome.',
  prefixes: [''],
  operations: [getAudit, exportAuditCsv, exportAuditJsonLines, getVerification, startVerification],
};
