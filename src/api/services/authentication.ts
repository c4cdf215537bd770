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

/** Tells who calls by the accounts and issuers that are live. Leased, so that a reload does not end a look-up of keys. */
export function authenticateWith(
  { current, clock }: { readonly current: SnapshotHolder<ActiveSnapshot>; readonly clock: Clock },
  styles?: readonly CredentialScheme[],
): AllowDeps['authenticate'] {
  return (head) =>
    current.lease(({ verifier, logins }) => authenticate(head, { verifier, logins, clock }, styles));
}

/** Tells who may call an operation, with the operator's changes that are live. */
export function rolesWith(current: SnapshotHolder<ActiveSnapshot>): AllowDeps['rolesOf'] {
  return createRolesOf(() => current.current().roles);
}

/** As far as clocks may differ: no issuer may have a larger tolerance. */
const LARGEST_TOLERANCE_SECONDS = 3600;

/** What logging in may touch, beside the live configuration. */
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
  /** Resolves when the other processes of this server know of an ended token. */
  readonly whenPropagated: () => Promise<void>;
  readonly clock: Clock;
}

/** An application that operators have no name for goes by its own, written like theirs: `Platform`. */
function nameOfApplication(operation: string): string {
  const [name = ''] = operation.split('.', 1);
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
