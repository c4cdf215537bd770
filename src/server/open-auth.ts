import { attemptsWithTimeout } from '../api/services/authentication.js';
import { createRevokedTokens, type SyncedRevokedTokens, syncRevokedTokens } from '../auth/revoked-tokens.js';
import { type LocalIssuer, openLocalIssuer } from '../auth/local-issuer.js';
import { createTokenIssuer } from '../auth/token-issuer.js';
import type { Scheduler } from '../core/lib/clock.js';
import type { AttemptStore } from '../core/login-attempts.js';
import type { TokenIssuer } from '../core/session.js';
import type { LocalIssuerSettings } from '../core/settings.js';
import type { Store } from '../storage/store.js';

/** What is known of those who call, on all nodes. */
export interface Auth {
  readonly ended: SyncedRevokedTokens;
  readonly attempts: AttemptStore;
  /** The built-in issuer and its desk, where it is enabled. */
  readonly local?: LocalIssuer;
  readonly tokens?: TokenIssuer;
  /** Writes down what is not yet. */
  close(): Promise<void>;
}

/** Joins what this node knows of callers to what the store keeps. Throws as the issuer and the store do. */
export async function openAuth(
  settings: LocalIssuerSettings,
  { store, clock }: { readonly store: Pick<Store, 'sessions' | 'attempts'>; readonly clock: Scheduler },
): Promise<Auth> {
  const local = await openLocal(settings, clock);
  const tokens = local && createTokenIssuer({ local, scheduler: clock, store: store.sessions });
  const held = createRevokedTokens(clock);
  const ended = await syncRevokedTokens({ held, store: store.sessions, scheduler: clock });
  return {
    ended,
    attempts: attemptsWithTimeout(store.attempts, clock),
    ...(local && { local }),
    ...(tokens && { tokens }),
    close: async () => {
      await Promise.all([tokens?.close(), ended.close()]);
    },
  };
}

async function openLocal(
  { enabled, keyFile, tokenTtlSeconds }: LocalIssuerSettings,
  clock: Scheduler,
): Promise<LocalIssuer | undefined> {
  return enabled ? openLocalIssuer({ keyFile, tokenTtlSeconds, clock, createKey: true }) : undefined;
}
