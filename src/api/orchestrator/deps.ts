import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';

/** What the orchestrator manager may touch: the adapters of the live snapshot. */
export interface OrchestratorManagerDeps {
  readonly leaseAdapter: LeaseAdapter;
  /** After an orchestrator refused this instance's credentials: true when another one, with others, is live now. */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}
