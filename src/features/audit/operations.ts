import type { Application, Operation } from '../../core/operation.js';
import { auditRecordSchema } from '../lib/audit-schema.js';
import { auditQuerySchema, describeFilters, parseAuditQuery } from './audit-query.js';
import type { AuditTrail, AuditVerifications, VerificationState } from './audit-trail.js';
import { exportAuditCsv, exportAuditJsonLines, type ExportDeps } from './export.js';
import { changesOf, recordChangesSchema, type RecordVersions } from './record-changes.js';

interface VerificationDeps {
  readonly verifications: AuditVerifications;
}

const time = { type: 'integer', description: 'Milliseconds since 1970' } as const;
const sequenceNumber = { type: 'integer', minimum: 1 } as const;

const stateMembers = {
  type: 'object',
  properties: {
    running: {
      type: 'object',
      required: ['startedAt', 'entries'],
      description: 'The verification that is running; absent if none is',
      properties: {
        startedAt: time,
        entries: { type: 'integer', minimum: 0, description: 'Number of records that were verified so far' },
      },
    },
    last: {
      type: 'object',
      required: ['at', 'isIntact', 'outcome'],
      description: 'Result of the last verification; absent before the first',
      properties: {
        at: time,
        isIntact: { type: 'boolean', description: 'False if the chain is broken or could not be read' },
        first: { ...sequenceNumber, description: 'First record of the intact chain' },
        last: { ...sequenceNumber, description: 'Last record of the intact chain' },
        outcome: {
          type: 'string',
          description: 'The result as a sentence: the first break, or the reason of a failure',
        },
      },
    },
  },
} as const;

/** Returns the verification that is running, and the result of the last one. */
const getVerification: Operation<VerificationDeps> = {
  id: 'getVerification',
  summary: 'Get the state of the verification of the audit trail.',
  description: 'Returns the progress of the verification that is running, and the result of the last one.',
  method: 'GET',
  path: '/audit/verification',
  roles: ['admin'],
  reply: { title: 'Verification of the audit trail', ...stateMembers },
  handle: async (_call, { verifications }) => ({ body: await verifications.state() }),
};

/** Starts a verification of the whole trail. */
const startVerification: Operation<VerificationDeps> = {
  id: 'startVerification',
  summary: 'Verify the audit trail.',
  description:
    'Follows the chain of the audit trail to its first break, as `gatehouse audit verify` does. One verification runs at a time; it continues after the reply, and its result is a record of the audit trail.',
  method: 'POST',
  path: '/audit/verification',
  roles: ['admin'],
  reply: { title: 'Started verification of the audit trail', ...stateMembers },
  audited: true,
  async handle(_call, { verifications }) {
    const isStarted = verifications.start();
    const body: VerificationState = await verifications.state();
    return { body, outcome: isStarted ? 'started' : 'already running' };
  },
};

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
