import type { AuditTrail } from '../../core/audit-trail.js';
import type { Monitoring } from '../../core/monitoring.js';

/** Dependencies of the console operations. */
export interface ConsoleDeps {
  readonly monitoring: Monitoring;
  readonly findAudit: AuditTrail['find'];
}
