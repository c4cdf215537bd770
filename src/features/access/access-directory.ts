import type { AdapterPolicy } from '../../core/access-policy.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { AccessCaller, AccessOperation } from './access-explanation.js';

/** Who may call what, by the active configuration. */
export interface AccessDirectory {
  /** Returns the user, the client or the owner of a certificate with this name in the configuration. */
  readonly callerOf: (subject: string) => AccessCaller | undefined;
  /** Returns the names that {@link callerOf} knows. */
  readonly subjects: () => readonly string[];
  /** Returns all operations of this release, in the order of the API description. */
  readonly operations: () => readonly AccessOperation[];
  /** Returns the access rules of each adapter, by adapterId. */
  readonly policies: () => ReadonlyMap<string, AdapterPolicy>;
  /** Returns the users, clients and owners of certificates of the configuration. */
  readonly callers: () => readonly AccessCaller[];
  /** Returns the names of the callers of the configuration that have a role. */
  readonly subjectsOf: (role: string) => readonly string[];
  /** Returns the access rules of each adapter, as if a stored rule were another one; undefined: as if there were none. */
  readonly policiesWith: (
    name: string,
    document: NamedRecord['document'] | undefined,
  ) => ReadonlyMap<string, AdapterPolicy>;
  /** Returns every role that the configuration names or an operation requires, sorted. */
  readonly roles: () => readonly string[];
}
