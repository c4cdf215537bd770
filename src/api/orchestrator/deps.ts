import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';

/** Dependencies of the orchestrator manager: the adapters of the active snapshot. */
export interface OrchestratorManagerDeps {
  readonly leaseAdapter: LeaseAdapter;
  /**
   * Renews an instance whose credentials the orchestrator refused. Resolves to true if another instance with
   * other credentials is active now.
   */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}
