import { openAuditTrail } from './audit/open-audit-trail.js';
import { type LocalIssuer, openLocalIssuer } from './auth/local-issuer.js';
import type { Scheduler } from './domain/clock.js';
import { ConfigError, type Fault } from './domain/fault.js';
import type { LocalIssuerSettings } from './domain/settings.js';
import { openLog } from './log/open-log.js';
import { createRedactor } from './log/redactor.js';
import { openDoors } from './doors.js';
import { prepare, type PrepareInput, settingsOf } from './prepare.js';
import { connectRooms } from './rooms.js';
import { type Built, buildSnapshot } from './runtime/build-snapshot.js';
import { Current } from './runtime/current.js';
import { maskedSecrets } from './runtime/masked-secrets.js';
import { ownersOf } from './runtime/owners.js';
import { Reloader } from './runtime/reloader.js';
import { restartNeeded } from './runtime/restart-needed.js';
import { resolveMain } from './runtime/resolve-main.js';
import { startAdapters } from './runtime/start-adapters.js';
import { openSecrets } from './secrets/resolve.js';
import { openStore } from './storage/open-store.js';
import { openHttpClient } from './upstream/client.js';
import { greet } from './greet.js';

export interface StartInput extends PrepareInput {
  readonly clock: Scheduler;
  /** Where log lines go; stdout when absent. */
  readonly logStream?: NodeJS.WritableStream;
}

/** A server that runs. */
export interface Running {
  readonly url: string;
  /** Makes the configuration on disk live, or changes nothing and tells why. */
  reload(): Promise<readonly Fault[]>;
  /** Logs an error that reached the process uncaught, a plugin's for example. */
  reportStray(error: unknown): void;
  /** Lets running calls end, then closes everything. */
  close(): Promise<void>;
}

/**
 * Wires the rooms together by hand, and serves. Throws a ConfigError with every fault, or an Error that says what to
 * do; what was opened by then is closed again.
 */
export async function start(input: StartInput): Promise<Running> {
  const opened: Closable[] = [];
  const closeAll = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  try {
    const running = await open(input, (one) => {
      opened.push(one);
      return one;
    });
    let closing: Promise<void> | undefined;
    return { ...running, close: () => (closing ??= closeAll()) };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface Closable {
  close(): Promise<void>;
}

/** Opens from the ground up; `keep` remembers what has to be closed, in the opposite order. */
async function open(
  { clock, logStream, ...prepareInput }: StartInput,
  keep: <T extends Closable>(one: T) => T,
): Promise<Omit<Running, 'close'>> {
  const { env } = prepareInput;
  const preparation = await prepare(prepareInput);
  const first = await preparation.read();
  const redactor = createRedactor(clock);
  const { log } = keep(openLog(settingsOf(first).log, { redactor, ...(logStream && { stream: logStream }) }));
  const secrets = keep(openSecrets(settingsOf(first).vault, { openHttpClient, env, clock, log }));
  // Never let go of: these values serve as long as the process does.
  const settings = await resolveMain(first.desired, maskedSecrets(secrets, redactor));
  const store = keep(await openStore(settings.storage.url));
  const audit = keep(await openAuditTrail(settings.audit, { store, clock }));
  const local = await openLocal(settings.auth.local, clock);
  const rooms = connectRooms({ clock, log, ...(local && { local }) });

  const build = async (generation: number): Promise<Built> => {
    const { desired, faults } = generation === 1 ? first : await preparation.read();
    if (faults.length > 0) return { faults };
    const keys = restartNeeded(first.desired, desired);
    if (keys.length > 0) log.warn('these changes take effect at the next start', { keys });
    const built = await buildSnapshot({ desired, generation, secrets, redactor, rooms, log, clock });
    if ('snapshot' in built) secrets.watch(ownersOf(desired));
    return built;
  };
  const built = await build(1);
  if ('faults' in built) throw new ConfigError(built.faults);
  await startAdapters(built.snapshot);
  const current = keep(new Current(built.snapshot));
  const { url } = keep(
    await openDoors({ settings, current, store, audit, log, clock, redact: redactor.redact }),
  );
  const reloader = keep(new Reloader({ current, build, scheduler: clock, log }));
  // A rotated secret is a change like any other. What the reload has to say stands in the log.
  secrets.onChange(() => void reloader.reload().catch(() => undefined));
  greet({ url, settings, snapshot: built.snapshot, log, ...(local && { local }) });
  return {
    url,
    reload: () => reloader.reload(),
    reportStray: (error) => {
      log.error('an error that nobody caught; the server goes on', { error });
    },
  };
}

async function openLocal(
  { enabled, keyFile, tokenTtlSeconds }: LocalIssuerSettings,
  clock: Scheduler,
): Promise<LocalIssuer | undefined> {
  return enabled ? openLocalIssuer({ keyFile, tokenTtlSeconds, clock, createKey: true }) : undefined;
}
