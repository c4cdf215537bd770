import type { VaultSettings } from '../core/settings.js';
import { type ClientDeps, openClient } from './open-client.js';
import type { RequestCount } from './request-counts.js';
import { createSecretAccess, type SecretAccess } from './secret-access.js';

/** What went on between us and Vault. */
export interface Traffic {
  readonly requests: readonly RequestCount[];
  /** What the token has left; Infinity for one that never ends; absent while there is none. */
  readonly tokenSeconds?: number;
}

/** An open way to Vault. */
export interface Connection extends SecretAccess {
  /** Calls back whenever a new token has taken the place of an earlier one; the result ends that. */
  onNewToken(listener: () => void): () => void;
  /** True when closing revokes the token, and with it all that Vault lent to it. */
  readonly ownsToken: boolean;
  readonly traffic: () => Traffic;
  close(): Promise<void>;
}

/** Puts the parts together. No request is sent before the first read. Throws `VAULT_TLS` when a file is of no use. */
export async function connect(settings: VaultSettings, deps: ClientDeps): Promise<Connection> {
  const opened = await openClient(settings, deps);
  const { client, tokens } = opened;
  const { kvVersion, request } = settings;
  const { concurrency } = request;
  return {
    ...createSecretAccess({ client, tokens, kvVersion, clock: deps.scheduler, concurrency }),
    onNewToken: (listener) => tokens.onNewToken(listener),
    ownsToken: tokens.ownsToken,
    traffic: () => {
      const tokenSeconds = tokens.secondsLeft();
      return { requests: opened.requests(), ...(tokenSeconds !== undefined && { tokenSeconds }) };
    },
    close: () => opened.close(),
  };
}
