import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';

/** What the pass-through may touch: the adapters of the live snapshot. */
export interface ProxyDeps {
  readonly leaseAdapter: LeaseAdapter;
  /** After an orchestrator refused this instance's credentials: true when another one, with others, is live now. */
  readonly renew: (refused: AdapterInstance) => Promise<boolean>;
}
