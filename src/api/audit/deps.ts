import type { AuditTrail } from '../../core/audit-trail.js';

/** What the application may touch: the audit trail, to be read. */
export interface AuditAppDeps {
  readonly findAudit: AuditTrail['find'];
}
