import type { Observation } from '../../domain/observation.js';

/** What the pages for people may see. */
export interface ConsoleDeps {
  readonly observation: Observation;
}
