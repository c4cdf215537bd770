import type { Scheduler } from '../../core/lib/clock.js';
import { ConfigError, type Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { VaultSettings } from '../../core/settings.js';
import { isFatalAtBoot, failureClass, mayPass } from '../../vault/vault-error.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { type ConfigSection, locateFault } from './config-section.js';
import { type Resolved, resolveSections } from './resolve-sections.js';

export interface BootInput {
  readonly secrets: Pick<SecretSource, 'resolve'>;
  readonly boot: VaultSettings['boot'];
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Time between two tries while Vault is away, in milliseconds. */
const RETRY_MS = 10_000;
/** Time before the second login; a third one so soon would bring us closer to being locked out. */
const LOGIN_AGAIN_MS = 5_000;

/**
 * Resolves every reference before anything is built from one (secrets specification section 5.7). Waits for a Vault that
 * is away. Throws a ConfigError with all failures when Vault stays away or refuses our login, and with `requireAll` when
 * it gives any reference no value; else those failures are left to the pieces that they concern.
 */
export async function resolveAtBoot(sections: readonly ConfigSection[], input: BootInput): Promise<Resolved> {
  const { secrets, boot, scheduler, log, signal } = input;
  const endsAt = scheduler.now() + boot.waitSeconds * 1000;
  for (let logins = 1; ;) {
    const resolved = await resolveSections(sections, secrets);
    const faults = sections.flatMap((section) =>
      resolved(section).failures.map((failure) => locateFault(section.written, failure)),
    );
    const waitMs = timeoutFor(faults, { left: endsAt - scheduler.now(), logins });
    if (waitMs === undefined) return failedSections(resolved, faults, boot.requireAll);
    if (faults.some(isLogin)) logins += 1;
    log.warn('waiting for Vault', { codes: codesOf(faults), secondsLeft: (endsAt - scheduler.now()) / 1000 });
    await pause(waitMs, scheduler, signal);
  }
}

/** Resolves further pieces in the same way, and gives what is known of them and of those before. */
export async function resolveMore(
  before: Resolved,
  sections: readonly ConfigSection[],
  input: BootInput,
): Promise<Resolved> {
  const more = await resolveAtBoot(sections, input);
  const names = new Set(sections.map(({ name }) => name));
  return (section) => (names.has(section.name) ? more : before)(section);
}

/** Milliseconds until the next try; undefined when there is to be none. */
function timeoutFor(
  faults: readonly Fault[],
  { left, logins }: { readonly left: number; readonly logins: number },
): number | undefined {
  if (left <= 0) return undefined;
  if (faults.some(isLogin)) return logins < 2 ? Math.min(LOGIN_AGAIN_MS, left) : undefined;
  return faults.some(({ code }) => mayPass(code)) ? Math.min(RETRY_MS, left) : undefined;
}

function failedSections(resolved: Resolved, faults: readonly Fault[], requireAll: boolean): Resolved {
  const fatal = faults.some(({ code }) => isFatalAtBoot(code)) || (requireAll && faults.length > 0);
  if (fatal) throw new ConfigError(faults);
  return resolved;
}

function isLogin({ code }: Fault): boolean {
  return failureClass(code) === 'login';
}

function codesOf(faults: readonly Fault[]): readonly string[] {
  return [...new Set(faults.map(({ code }) => code))];
}

/** Keeps the process alive: nothing else does while it is not serving yet. */
async function pause(ms: number, scheduler: Scheduler, signal?: AbortSignal): Promise<void> {
  const alive = setInterval(() => undefined, 60_000);
  try {
    await new Promise<void>((resolve, reject) => {
      const cancel = scheduler.after(ms, resolve);
      const stop = (): void => {
        cancel();
        reject(new Error('told to stop while waiting for Vault'));
      };
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  } finally {
    clearInterval(alive);
  }
}
