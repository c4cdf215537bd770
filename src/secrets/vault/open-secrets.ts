import { setTimeout as delay } from 'node:timers/promises';
import type { VaultSettings } from '../../core/vault-settings.js';
import { SecretError, type SecretFailure } from '../secret-error.js';
import { checkVaultSettings } from './check-settings.js';
import { connect } from './connect.js';
import type { ClientDeps } from './open-client.js';
import { createSecretSource, type SecretSource } from './secret-source.js';

export type { Freshness, Resolution } from '../secret-provider.js';
export type { SecretSource } from './secret-source.js';
export type { SecretInUse } from '../secret-status.js';
export type { SecretStatus } from '../secret-status.js';
export type { Traffic } from './connect.js';

/** External dependencies of the secret source; tests supply the optional members. */
export type SecretDeps = Omit<ClientDeps, 'wait' | 'random'> &
  Partial<Pick<ClientDeps, 'wait' | 'random'>> & {
    /** Time that calls with old credentials may still run before these are revoked, in milliseconds. */
    readonly drainMs?: number;
  };

const DRAIN_MS = 30_000;

/**
 * Creates the configured secret source. Reads nothing and sends no request before the first `resolve`.
 * Missing credentials make references fail, not the start. Without usable settings every reference fails.
 */
export function openSecrets(settings: VaultSettings | null, deps: SecretDeps): SecretSource {
  const refusal = settings === null ? VAULT_NOT_CONFIGURED : checkVaultSettings(settings, deps.env)[0];
  if (settings === null || refusal) return failingSource(refusal ?? VAULT_NOT_CONFIGURED);
  const { scheduler, log, drainMs = DRAIN_MS } = deps;
  const connectDeps = { wait, random: Math.random, ...deps };
  return createSecretSource({
    settings,
    scheduler,
    random: connectDeps.random,
    drainMs,
    log,
    open: () => connect(settings, connectDeps),
  });
}

/** Failure of every reference without a block `vault`. */
export const VAULT_NOT_CONFIGURED: SecretFailure = {
  code: 'VAULT_NOT_CONFIGURED',
  message: 'The value is a reference to Vault, and no Vault is configured',
  fix: 'Add a "vault" block with address and auth to the configuration.',
};

function failingSource({ code, message, fix }: SecretFailure): SecretSource {
  const fail = (): Promise<never> => Promise.reject(new SecretError({ code, message, fix }));
  return {
    resolve: (references) =>
      Promise.resolve(new Map(references.map(({ pointer }) => [pointer, { code, message, fix }]))),
    watch: () => undefined,
    onChange: () => undefined,
    refreshAfterRefusal: () => Promise.resolve(false),
    refresh: () => Promise.resolve(),
    store: fail,
    browser: { listFolder: fail, listFields: fail },
    status: () => ({ state: 'running', staleSeconds: new Map(), errors: new Map() }),
    vaultState: () => 'running',
    inUse: () => [],
    traffic: () => ({ requests: [] }),
    certificates: () => ({ files: [] }),
    close: () => Promise.resolve(),
  };
}

/** Waits for a number of milliseconds; resolves early when the signal fires. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
