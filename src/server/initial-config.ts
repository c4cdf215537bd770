import { ConfigError, type Fault } from '../core/fault.js';
import type { Log } from '../core/log.js';
import type { CountedAuditTrail } from '../features/audit/audit-trail.js';
import type { Store } from '../features/store.js';
import type { Scheduler } from '../lib/clock.js';
import type { Freshness, SecretResolver } from '../secrets/open-secrets.js';
import { concernsAllPaths, failureClass, mayPass } from '../secrets/secret-error.js';
import type { Settings } from '../settings/settings.js';
import type { VaultSettings } from '../settings/vault.js';
import type { ConfigLoader } from './config-loader.js';
import {
  type ConfigSection,
  locateFault,
  type Desired,
  enabledSections,
  type CheckedConfiguration,
} from './state/configuration.js';
import { type Resolved, resolveSections, settingsFrom } from './state/resolve.js';

/** The store, in which everything that is due has ended, and the audit trail. */
export interface OpenedStore {
  readonly store: Store;
  readonly trail: CountedAuditTrail;
}

/** Configuration, secrets and store that a server starts with. */
interface InitialConfig extends OpenedStore {
  readonly settings: Settings;
  readonly desired: Desired;
  readonly resolved: Resolved;
}

/** Dependencies and limits of the first read of Vault. */
interface BootInput {
  readonly secrets: SecretResolver;
  readonly boot: VaultSettings['boot'];
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Cancels the wait for Vault. */
  readonly signal?: AbortSignal;
  /** True if Vault had a value before, so that a failure concerns its path only. */
  readonly isVaultInUse?: boolean;
}

/**
 * Resolves the configuration in the order of its dependencies: the secrets of the files, the store that they open, the
 * adapters that are registered in the store, and the secrets of these adapters. Throws a ConfigError.
 */
export async function resolveInitialConfig(
  { loader, first }: { readonly loader: ConfigLoader; readonly first: CheckedConfiguration },
  openStore: (settings: Settings) => Promise<OpenedStore>,
  boot: BootInput,
): Promise<InitialConfig> {
  const files = enabledSections(first.desired);
  const resolvedFiles = await resolveAtBoot(files, boot);
  const settings = settingsFrom(first.desired, resolvedFiles);
  const { store, trail } = await openStore(settings);
  const { desired, faults } = await loader.combine(first.desired.files, await store.platform.read());
  if (faults.length > 0) throw new ConfigError(faults);
  const registered = enabledSections(desired).filter(isRegistered);
  const isVaultInUse = hasSecrets(files, resolvedFiles);
  const resolvedRecords = await resolveAtBoot(registered, { ...boot, isVaultInUse });
  const resolved = withSections(resolvedFiles, registered, resolvedRecords);
  return { settings, store, trail, desired, resolved };
}

/** Returns true for the section of an adapter that is registered in the store. */
function isRegistered(section: ConfigSection): boolean {
  return 'record' in section;
}

/** Returns the values of `added` for the given sections, and those of `base` for all other sections. */
function withSections(base: Resolved, sections: readonly ConfigSection[], added: Resolved): Resolved {
  const names = new Set(sections.map(({ name }) => name));
  return (section) => (names.has(section.name) ? added : base)(section);
}

/** Time between two attempts while Vault is unavailable, in milliseconds. */
const VAULT_RETRY_MS = 10_000;
/** Time before the second login, in milliseconds. There is no third login, because Vault could lock the account. */
const LOGIN_RETRY_MS = 5_000;

/**
 * Resolves every reference before the server builds anything from it (secrets specification section 5.7). Waits while Vault is
 * unavailable, has no value for the main file, or refuses requests by a quota. Throws a ConfigError with all failures if it stays
 * unavailable, and with `requireAll` if any reference has no value. Every other failure concerns only the adapter that contains it.
 */
async function resolveAtBoot(sections: readonly ConfigSection[], input: BootInput): Promise<Resolved> {
  const { secrets, boot, scheduler, log, signal } = input;
  const endsAt = scheduler.now() + boot.waitSeconds * 1000;
  for (let logins = 1, freshness: Freshness = 'read'; ; freshness = 'held') {
    const resolved = await resolveSections(sections, secrets, freshness);
    const faults = faultsOf(sections, resolved);
    const blocking = boot.requireAll ? faults : blockingFaults(sections, resolved, input);
    const awaited = [...blocking, ...faults.filter(isRateLimited)];
    const delayMs = retryDelayOf(awaited, { remainingMs: endsAt - scheduler.now(), logins });
    if (delayMs === undefined) {
      if (blocking.some(({ code }) => concernsAllPaths(code)) || (boot.requireAll && faults.length > 0))
        throw new ConfigError(faults);
      return resolved;
    }
    if (faults.some(isLogin)) logins += 1;
    log.warn('waiting for Vault', {
      codes: codesOf(awaited),
      reason: awaited[0]?.message,
      fix: awaited[0]?.fix,
      secondsLeft: Math.ceil((endsAt - scheduler.now()) / 1000),
    });
    await pause(delayMs, scheduler, signal);
  }
}

/**
 * Returns the faults that the start waits for: those of the main file, and all of them while Vault answers nothing. An adapter
 * whose engine fails is `DEAD`, and is built as soon as its secrets can be read.
 */
function blockingFaults(
  sections: readonly ConfigSection[],
  resolved: Resolved,
  { isVaultInUse = false }: BootInput,
): readonly Fault[] {
  const faults = faultsOf(sections, resolved);
  const isAnswering =
    isVaultInUse ||
    hasSecrets(sections, resolved) ||
    faults.some(({ code }) => !concernsAllPaths(code) && !code.startsWith('FILE_'));
  return isAnswering
    ? faultsOf(
        sections.filter(({ name }) => name === MAIN),
        resolved,
      )
    : faults;
}

/** Name of the section of the main file. */
const MAIN = '';

function faultsOf(sections: readonly ConfigSection[], resolved: Resolved): readonly Fault[] {
  return sections.flatMap((section) =>
    resolved(section).failures.map((failure) => locateFault(section.written, failure)),
  );
}

/** Returns true if Vault had a value for at least one of the sections. */
function hasSecrets(sections: readonly ConfigSection[], resolved: Resolved): boolean {
  return sections.some((section) =>
    section.references.some(
      ({ pointer, reference }) => reference.store !== 'file' && resolved(section).versions.has(pointer),
    ),
  );
}

/** Returns the milliseconds until the next attempt; undefined if there is none. */
function retryDelayOf(
  faults: readonly Fault[],
  { remainingMs, logins }: { readonly remainingMs: number; readonly logins: number },
): number | undefined {
  if (remainingMs <= 0) return undefined;
  if (faults.some(isLogin)) return logins < 2 ? Math.min(LOGIN_RETRY_MS, remainingMs) : undefined;
  return faults.some(({ code }) => mayPass(code)) ? Math.min(VAULT_RETRY_MS, remainingMs) : undefined;
}

function isLogin({ code }: Fault): boolean {
  return failureClass(code) === 'login';
}

/** Returns true for a secret that Vault will serve later: its quota refused the request. */
function isRateLimited({ code }: Fault): boolean {
  return code === 'VAULT_RATE_LIMITED';
}

function codesOf(faults: readonly Fault[]): readonly string[] {
  return [...new Set(faults.map(({ code }) => code))];
}

/** Waits for a time. The interval keeps the process alive, because nothing else does before the server listens. */
async function pause(ms: number, scheduler: Scheduler, signal?: AbortSignal): Promise<void> {
  const keepAlive = setInterval(() => undefined, 60_000);
  try {
    await new Promise<void>((resolve, reject) => {
      const cancel = scheduler.after(ms, resolve);
      const stop = (): void => {
        cancel();
        reject(new Error('stopped while waiting for Vault'));
      };
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  } finally {
    clearInterval(keepAlive);
  }
}
