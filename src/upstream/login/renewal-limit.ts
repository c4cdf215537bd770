import type { Clock } from '../../core/lib/clock.js';
import type { Session } from './session.js';

/** Keeps renewals of refused sessions apart: a login that does not help must not become a storm of logins. */
export interface RenewalRateLimit {
  /** True when a session that was refused with this status may be replaced now. */
  permits(refused: Pick<Session, 'since' | 'wasAccepted'>, status: number): boolean;
  /** Says that a renewed session was refused like the one before it. */
  wasInVain(): void;
}

/** For a session that has worked before, and was refused with 401. */
const USUAL_MS = 1_000;
/** For one that never worked, for statuses that may concern one call alone, and after a renewal in vain. */
const PATIENT_MS = 30_000;

/** Makes a pace that permits a renewal as soon as the session has the age for it. */
export function createRenewalPace(clock: Clock): RenewalRateLimit {
  let notBefore = 0;
  return {
    permits({ since, wasAccepted }, status) {
      const age = wasAccepted && status === 401 ? USUAL_MS : PATIENT_MS;
      return clock.now() >= notBefore && clock.now() - since >= age;
    },
    wasInVain() {
      notBefore = clock.now() + PATIENT_MS;
    },
  };
}
