import type { Lease } from '../../core/snapshot.js';

/** Dependencies of the tools: the egress of the active snapshot. */
export interface ToolsDeps {
  readonly lease: Lease;
}
