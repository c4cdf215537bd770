import type { LimitStatus } from '../../core/limits.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Monitoring } from './monitoring.js';

export interface ConsoleDeps {
  readonly monitoring: Monitoring;
  /** Returns the limits of callers, and their counts. */
  readonly limits: () => LimitStatus;
  readonly findAudit: AuditTrail['find'];
}
