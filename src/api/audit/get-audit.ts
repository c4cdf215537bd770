import type { Operation } from '../../core/operation.js';
import type { AuditAppDeps } from './deps.js';
import { auditQuerySchema, readQuery } from './read-query.js';

const text = { type: 'string' } as const;
const digest = { type: 'string', pattern: '^([0-9a-f]{64})?$' } as const;

const recordSchema = {
  type: 'object',
  required: ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'status', 'outcome'],
  properties: {
    time: { type: 'string', format: 'date-time' },
    requestId: text,
    operation: { ...text, description: '<application>.<id>' },
    subject: { ...text, description: 'Who called' },
    issuer: { ...text, description: 'Who says so' },
    target: { ...text, description: 'Path of the request, and what the call was about' },
    status: { type: 'integer', description: 'HTTP status; 0 where a stream begins' },
    outcome: { ...text, description: 'Code of a failure, or what the operation said of its outcome' },
    durationMs: { type: 'number' },
    before: { ...digest, description: 'Digest of the state that the call found' },
    after: { ...digest, description: 'Digest of the state that the call left' },
    seq: { type: 'integer', minimum: 1, description: 'Place in the chain; absent before there was one' },
    prev: { ...digest, description: 'Hash of the record before' },
    hash: { ...digest, description: 'Seal over all of this' },
  },
} as const;

const replySchema = {
  title: 'Audit records',
  type: 'object',
  required: ['results'],
  properties: {
    results: { type: 'array', items: recordSchema, description: 'Newest first' },
    next: { ...text, description: 'Send it as "before" to go on; absent when there is nothing older' },
    partial: {
      const: true,
      description: 'The search stopped before the page was full; "next" goes on',
    },
  },
} as const;

/** Searches the audit trail; which filters were used stands in the record of the search, their values do not. */
export const getAudit: Operation<AuditAppDeps> = {
  id: 'getAudit',
  summary: 'Search the audit trail, newest records first.',
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  query: auditQuerySchema,
  reply: replySchema,
  audited: true,
  async handle({ query }, { findAudit }) {
    const page = await findAudit(readQuery(query));
    const filters = [...query.keys()].sort();
    const by = filters.length > 0 ? ` by ${filters.join(', ')}` : '';
    return { body: page, outcome: `${page.results.length} records${by}` };
  },
};
