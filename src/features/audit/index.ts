import { maySeeAdapter } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { Log } from '../../core/log.js';
import type { Principal } from '../../core/principal.js';
import type { RecordKind } from '../../core/record-history.js';
import type { Clock } from '../../lib/clock.js';
import { Semaphore } from '../../lib/semaphore.js';
import type { AdapterDirectory } from '../adapters/require-adapter.js';
import type { Store } from '../store.js';
import type { CountedAuditTrail } from './audit-trail.js';
import type { AuditAppDeps } from './operations.js';
import { findVersions, type RecordVersions } from './record-changes.js';
import { openVerifications } from './trail/open-verifications.js';

/** Maximum number of exports that run at the same time: each keeps a page of records in memory. */
const MAX_EXPORTS = 2;

interface OpenAuditApp {
  readonly deps: AuditAppDeps;
  /** Ends a verification that is running. */
  readonly close: () => void;
}

/** Who may read the versions of records. */
export interface VersionRights {
  /** Returns true if a caller has a role of the operation that returns versions of this kind. */
  readonly mayCall: (kind: RecordKind, principal: Principal | undefined) => boolean;
  /** Returns the access rules of each adapter, by name. */
  readonly policies: () => ReadonlyMap<string, AdapterPolicy>;
}

/** Creates the decision whether a caller may read a version: that of the operation that returns it. */
function createMayRead({ mayCall, policies }: VersionRights): RecordVersions['mayRead'] {
  return ({ kind, name }, principal) =>
    mayCall(kind, principal) && (kind !== 'adapter' || maySeeAdapter(policies().get(name), principal));
}

/** Opens the dependencies of the application that searches, exports and verifies the audit trail. */
export function openAuditApp(
  input: {
    readonly audit: CountedAuditTrail;
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly rights: VersionRights;
  },
  adapters: AdapterDirectory,
): OpenAuditApp {
  const verifications = openVerifications(input);
  return {
    deps: {
      findAudit: input.audit.find,
      versions: {
        mayRead: createMayRead(input.rights),
        find: findVersions(input.store.platform, adapters),
      },
      verifications,
      exportPlaces: new Semaphore(MAX_EXPORTS),
    },
    close: verifications.close,
  };
}
