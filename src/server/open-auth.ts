import { createBrowserSessions } from '../auth/browser-sessions.js';
import { type LocalIssuer, openLocalIssuer } from '../auth/local-issuer.js';
import {
  createRevokedTokens,
  type LocalRevokedTokens,
  type SyncedRevokedTokens,
  syncRevokedTokens,
} from '../auth/revoked-tokens.js';
import { createTokenIssuer } from '../auth/token-issuer.js';
import type { BrowserSessions } from '../core/browser-session.js';
import type { Log } from '../core/log.js';
import type { AttemptStore } from '../core/login.js';
import type { TokenIssuer } from '../core/session.js';
import { attemptsWithTimeout } from '../features/login/index.js';
import type { Store } from '../features/store.js';
import type { Scheduler } from '../lib/clock.js';
import type { LocalIssuerSettings } from '../settings/settings.js';

/** State about callers that all nodes share: revoked tokens, login attempts, and the built-in issuer. */
interface Auth {
  readonly revokedTokens: SyncedRevokedTokens;
  readonly attempts: AttemptStore;
  /** The built-in issuer; absent if it is disabled. */
  readonly local?: LocalIssuer;
  /** Sessions of browsers that signed in at an identity provider. */
  readonly browserSessions: BrowserSessions;
  /** Issues and renews tokens of the built-in issuer; absent if it is disabled. */
  readonly tokens?: TokenIssuer;
  /** The revoked tokens of this process, which the other processes of this server add to. */
  readonly shared: LocalRevokedTokens;
  /** Stores the revocations that are not stored yet. */
  close(): Promise<void>;
}

interface AuthDeps {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Connects the state of callers on this node to the store. Throws the errors of the issuer and the store. */
export async function openAuth(
  settings: LocalIssuerSettings,
  { store, clock, log }: AuthDeps,
): Promise<Auth> {
  const local = await openLocal(settings, clock);
  const tokens = local && createTokenIssuer({ local, scheduler: clock, store: store.sessions });
  const localTokens = createRevokedTokens(clock);
  const revokedTokens = await syncRevokedTokens({
    held: localTokens,
    store: store.sessions,
    scheduler: clock,
  });
  const browserSessions = createBrowserSessions({
    store: store.browserSessions,
    revoked: revokedTokens,
    clock,
    log,
  });
  return {
    revokedTokens,
    browserSessions,
    shared: localTokens,
    attempts: attemptsWithTimeout(store.attempts, clock),
    ...(local && { local }),
    ...(tokens && { tokens }),
    close: async () => {
      // The ends of sessions revoke tokens.
      await browserSessions.close();
      await Promise.all([tokens?.close(), revokedTokens.close()]);
    },
  };
}

async function openLocal(
  { enabled, keyFile, tokenTtlSeconds }: LocalIssuerSettings,
  clock: Scheduler,
): Promise<LocalIssuer | undefined> {
  return enabled ? openLocalIssuer({ keyFile, tokenTtlSeconds, clock, createKey: true }) : undefined;
}
