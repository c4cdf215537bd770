import type { Monitoring } from '../../core/monitoring.js';

/** What the pages for people may see. */
export interface ConsoleDeps {
  readonly monitoring: Monitoring;
}
