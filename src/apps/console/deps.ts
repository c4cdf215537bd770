import type { Monitoring } from '../../domain/observation.js';

/** What the pages for people may see. */
export interface ConsoleDeps {
  readonly observation: Monitoring;
}
