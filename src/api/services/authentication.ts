import type { LoginDeps } from '../login/deps.js';
import { authenticate } from '../../auth/authenticate.js';
import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import type { Clock } from '../../core/lib/clock.js';
import type { CredentialScheme } from '../../core/login.js';
import type { TokenIssuer } from '../../core/session.js';
import type { Settings } from '../../core/settings.js';
import type { AllowDeps } from '../../http/authorize.js';
import { describeServed } from '../index.js';
import { createRolesOf } from './roles.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';

/**
 * Creates the function that authenticates callers with the active accounts and issuers. The function leases
 * the snapshot, so that a reload does not interrupt a look-up of keys.
 */
export function authenticateWith(
  { current, clock }: { readonly current: SnapshotHolder<ActiveSnapshot>; readonly clock: Clock },
  styles?: readonly CredentialScheme[],
): AllowDeps['authenticate'] {
  return (head) =>
    current.lease(({ verifier, logins }) => authenticate(head, { verifier, logins, clock }, styles));
}

/** Creates the function that returns the roles allowed to call an operation, with the operator's changes. */
export function rolesWith(current: SnapshotHolder<ActiveSnapshot>): AllowDeps['rolesOf'] {
  return createRolesOf(() => current.current().roles);
}

/** Maximum clock tolerance of an issuer, in seconds. */
const LARGEST_TOLERANCE_SECONDS = 3600;

/** Returns the dependencies of the login operations, except the active configuration. */
export function loginDeps({ whenPropagated: heardOf, ...input }: LoginInput): Omit<LoginDeps, 'lease'> {
  const { settings, current, tokens, ended, clock } = input;
  const rolesOf = rolesWith(current);
  return {
    clock,
    async endToken(token, { expiresAt }) {
      try {
        await ended.end(token, (expiresAt + LARGEST_TOLERANCE_SECONDS) * 1000);
      } finally {
        await heardOf();
      }
    },
    servesTls: settings.server.tls !== null,
    ...(tokens && { tokens }),
    openOperations: () =>
      describeServed(settings.release).map((one) => ({
        id: one.row.id,
        roles: rolesOf(one),
        provenance: one.component ?? nameOfApplication(one.name),
      })),
  };
}

interface LoginInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly tokens?: TokenIssuer | undefined;
  readonly ended: RevokedTokens;
  /** Resolves after the other processes of this server have received an ended token. */
  readonly whenPropagated: () => Promise<void>;
  readonly clock: Clock;
}

/** Returns the name of an application without a component name, in the same spelling: `Platform`. */
function nameOfApplication(operation: string): string {
  const [name = ''] = operation.split('.', 1);
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
