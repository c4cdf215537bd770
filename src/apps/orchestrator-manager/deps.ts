import type { Lease } from '../../domain/snapshot.js';

/** What the orchestrator manager may touch: the adapters of the live snapshot. */
export interface OrchestratorManagerDeps {
  readonly lease: Lease;
}
