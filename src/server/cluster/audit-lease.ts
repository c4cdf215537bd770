import type { AuditTrail } from '../../core/audit-trail.js';

/** Room for audit records that one worker holds. */
export interface AuditLease {
  readonly add: (bytes: number) => void;
  /** Frees the room. */
  readonly close: () => void;
}

/** Creates a lease without room. */
export function createAuditLease({ release }: Pick<AuditTrail, 'release'>): AuditLease {
  let [held, isClosed] = [0, false];
  return {
    add(bytes) {
      // The worker may end before it has the answer.
      if (isClosed) release(bytes);
      else held += bytes;
    },
    close() {
      isClosed = true;
      release(held);
    },
  };
}
