import type { Application } from '../../core/operation.js';
import type { AuditAppDeps } from './deps.js';
import { getAudit } from './get-audit.js';

/** Search in the audit trail. */
export const audit: Application<AuditAppDeps> = {
  name: 'audit',
  summary: 'Who did what, and how it ended.',
  prefixes: [''],
  operations: [getAudit],
};
