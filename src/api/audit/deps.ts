import type { AuditTrail } from '../../core/audit-trail.js';

/** Dependencies of the application: read access to the audit trail. */
export interface AuditAppDeps {
  readonly findAudit: AuditTrail['find'];
}
