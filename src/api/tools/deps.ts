import type { Lease } from '../../core/snapshot.js';

/** What the tools may touch: the egress of the live snapshot. */
export interface ToolsDeps {
  readonly lease: Lease;
}
