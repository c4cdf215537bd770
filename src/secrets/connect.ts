import { systemScheduler, type Clock, type Scheduler } from '../domain/clock.js';
import type { VaultSettings } from '../domain/settings.js';
import { openClient, type ClientDeps } from './open-client.js';
import type { RequestCount } from './request-counts.js';
import { createSecretAccess, type SecretAccess } from './secret-access.js';

/** What reading from Vault needs from outside. */
export type ConnectDeps = Omit<ClientDeps, 'scheduler'> & {
  readonly clock: Clock;
  /** Absent: timers of the system, on the clock. */
  readonly scheduler?: Scheduler;
};

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
export async function connect(settings: VaultSettings, deps: ConnectDeps): Promise<Connection> {
  const { clock } = deps;
  const scheduler = deps.scheduler ?? {
    now: () => clock.now(),
    after: (ms: number, work: () => void) => systemScheduler.after(ms, work),
  };
  const opened = await openClient(settings, { ...deps, scheduler });
  const { client, tokens } = opened;
  const { kvVersion, request } = settings;
  const { concurrency } = request;
  return {
    ...createSecretAccess({ client, tokens, kvVersion, clock: scheduler, concurrency }),
    onNewToken: (listener) => tokens.onNewToken(listener),
    ownsToken: tokens.ownsToken,
    traffic: () => {
      const tokenSeconds = tokens.secondsLeft();
      return { requests: opened.requests(), ...(tokenSeconds !== undefined && { tokenSeconds }) };
    },
    close: () => opened.close(),
  };
}
