import type { AdapterDirectory } from '../../core/adapter-document.js';
import type { CountedAuditTrail } from '../../core/audit-trail.js';
import type { Log } from '../../core/log.js';
import type { Clock } from '../../lib/clock.js';
import { Semaphore } from '../../lib/semaphore.js';
import type { Store } from '../store.js';
import type { AuditAppDeps } from './operations.js';
import { findVersions } from './record-changes.js';
import { openVerifications } from './trail/open-verifications.js';

/** Maximum number of exports that run at the same time: each keeps a page of records in memory. */
const MAX_EXPORTS = 2;

interface OpenAuditApp {
  readonly deps: AuditAppDeps;
  /** Ends a verification that is running. */
  readonly close: () => void;
}

/** Opens the dependencies of the application that searches, exports and verifies the audit trail. */
export function openAuditApp(
  input: {
    readonly audit: CountedAuditTrail;
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
  },
  adapters: AdapterDirectory,
): OpenAuditApp {
  const verifications = openVerifications(input);
  return {
    deps: {
      findAudit: input.audit.find,
      findVersion: findVersions(input.store.platform, adapters),
      verifications,
      exportPlaces: new Semaphore(MAX_EXPORTS),
    },
    close: verifications.close,
  };
}
