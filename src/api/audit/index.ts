import type { Application } from '../../core/operation.js';
import type { AuditAppDeps } from './deps.js';
import { getAudit } from './get-audit.js';

/** The audit trail, to be searched. */
export const audit: Application<AuditAppDeps> = {
  name: 'audit',
  summary: 'Who did what, and how it ended.',
  prefixes: [''],
  operations: [getAudit],
};
