import { authenticate } from '../../auth/authenticate.js';
import { createRevocationLimit, type RevokedTokens } from '../../auth/revoked-tokens.js';
import { isOriginOverTls } from '../../auth/session-cookie.js';
import type { BrowserSessions } from '../../core/browser-session.js';
import type { Log } from '../../core/log.js';
import type { AttemptStore, CredentialScheme } from '../../core/login.js';
import type { DescribedOperation } from '../../core/operation.js';
import { callerKey, type Principal } from '../../core/principal.js';
import type { TokenIssuer } from '../../core/session.js';
import type { AllowDeps } from '../../http/authorize.js';
import { createRefusalSampler } from '../../http/refusal-sampler.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Settings } from '../../settings/settings.js';
import type { LoginDeps } from './deps.js';
import { createPendingSignOuts } from './pending-sign-outs.js';

interface AuthenticateInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Creates the function that authenticates callers with the active accounts and issuers. The function leases
 * the snapshot, so that a reload does not interrupt the fetch of an issuer's keys. It logs the first token in
 * a query.
 */
export function authenticateWith(
  { current, clock, log }: AuthenticateInput,
  styles?: readonly CredentialScheme[],
): AllowDeps['authenticate'] {
  let isQueryLogged = false;
  const onQueryToken = ({ subject, issuer }: Principal): void => {
    if (isQueryLogged) return;
    isQueryLogged = true;
    log.warn('a caller sends its token in the query, which proxies and browsers store; use a header', {
      subject,
      issuer,
      setting: 'auth.local.accept',
    });
  };
  return (head) =>
    current.use(({ verifier, logins, signIns, clientCertificates }) => {
      const isOverTls = isOriginOverTls({ servesTls: head.isOverTls === true }, signIns.publicOrigin);
      const deps = { verifier, logins, clientCertificates, clock, onQueryToken };
      return authenticate(head.isOverTls === isOverTls ? head : { ...head, isOverTls }, deps, styles);
    });
}

/** Maximum clock tolerance of an issuer, in seconds. */
const MAX_CLOCK_TOLERANCE_SECONDS = 3600;

export function loginDeps({ whenPropagated, ...input }: LoginInput): LoginDeps {
  const { lease, settings, served, rolesOf, tokens, ended, browserSessions, clock, log } = input;
  const countRevocation = createRevocationLimit(clock);
  const endToken = async (token: string, principal: Principal): Promise<void> => {
    countRevocation(callerKey(principal));
    try {
      await ended.end(token, (principal.expiresAt + MAX_CLOCK_TOLERANCE_SECONDS) * 1000);
    } finally {
      await whenPropagated();
    }
  };
  return {
    lease,
    clock,
    log,
    refusals: createRefusalSampler(),
    sessions: propagatedSessions(browserSessions, whenPropagated),
    endToken,
    pendingSignOuts: createPendingSignOuts({ lease, endToken, log, scheduler: clock }),
    servesTls: settings.server.tls !== null,
    ...(tokens && { tokens }),
    openOperations: () =>
      served.map((operation) => ({
        id: operation.row.id,
        roles: rolesOf(operation),
        provenance: operation.component ?? applicationNameOf(operation.name),
      })),
  };
}

interface LoginInput extends Pick<LoginDeps, 'lease'> {
  readonly settings: Settings;
  readonly served: readonly DescribedOperation[];
  readonly rolesOf: AllowDeps['rolesOf'];
  readonly tokens?: TokenIssuer | undefined;
  readonly ended: RevokedTokens;
  readonly browserSessions: BrowserSessions;
  /** Resolves after the other processes of this server have received an ended token. */
  readonly whenPropagated: () => Promise<void>;
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Returns the same sessions, whose ends resolve when every process of this server refuses their tokens. */
function propagatedSessions(sessions: BrowserSessions, whenPropagated: () => Promise<void>): BrowserSessions {
  return {
    start: sessions.start,
    renew: sessions.renew,
    end: (...session) => thenPropagated(sessions.end(...session)),
    endAtProvider: (notice) => thenPropagated(sessions.endAtProvider(notice)),
  };

  async function thenPropagated<T>(ended: Promise<T>): Promise<T> {
    try {
      return await ended;
    } finally {
      await whenPropagated();
    }
  }
}

/**
 * Returns the name of the application of an operation in the spelling of component names, for example
 * `Platform`.
 */
function applicationNameOf(operation: string): string {
  const [name = ''] = operation.split('.', 1);
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Maximum time that a login waits for the counts of the other nodes, in milliseconds. */
const COUNT_TIMEOUT_MS = 1_000;

/**
 * Adds a timeout to the counts of an attempt store, so that a database that does not respond blocks no login. Stores times of the
 * system clock `scheduler`, because the monotonic clock of the caller has another origin in each process.
 */
export function attemptsWithTimeout(store: AttemptStore, scheduler: Scheduler): AttemptStore {
  return {
    async count(keys, now) {
      const systemNow = Math.floor(scheduler.now());
      const locked = await withTimeout(store.count(keys, systemNow), {
        ms: COUNT_TIMEOUT_MS,
        scheduler,
        late: () => Promise.reject(new Error('the counts of the other nodes did not arrive in time')),
      });
      return locked && { place: locked.place, until: locked.until - systemNow + now };
    },
    takeBack: (keys) => store.takeBack(keys),
  };
}
