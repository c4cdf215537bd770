import type { AdapterPolicy } from '../../core/access-policy.js';
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
  /** Returns every role that the configuration names or an operation requires, sorted. */
  readonly roles: () => readonly string[];
}
