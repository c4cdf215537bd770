import { fileURLToPath } from 'node:url';
import { openAuditTrail } from '../audit/open-audit-trail.js';
import { fileStates } from '../config/file-states.js';
import { type Scheduler, monotonic } from '../core/lib/clock.js';
import { ConfigError, type Fault } from '../core/fault.js';
import { silentLog } from '../core/log.js';
import { openAuth } from './open-auth.js';
import { openServer } from './serving.js';
import { openSchemaValidator } from '../api/services/schema-validator.js';
import { createConfigLoader, type ConfigLoaderOptions, settingsOf } from './config-loader.js';
import { createAdapterFactories } from './adapter-factories.js';
import { buildSnapshot } from './reload/build-snapshot.js';
import { SnapshotHolder } from './reload/snapshot-holder.js';
import { logLevelsOf } from './reload/log-levels.js';
import { redactedSecrets } from './reload/redacted-secrets.js';
import { settingsFrom } from './reload/settings-from.js';
import { openConfigReloader } from './reload/config-reloader.js';
import { createWorkerMode } from './cluster/worker-mode.js';
import { openSecrets } from '../vault/open-secrets.js';
import { openYang } from '../api/services/yang.js';
import { openStore } from '../storage/open-store.js';
import type { Store } from '../storage/store.js';
import { resolveInitialConfig } from './initial-config.js';
import { createSecretStorage } from '../api/services/components.js';
import { logStartup } from './log-startup.js';
import { openTelemetry } from './open-telemetry.js';

/** Where the build puts the pages for people, beside the code. */
const PAGES = fileURLToPath(new URL('../../ui', import.meta.url));

export interface StartInput extends ConfigLoaderOptions {
  readonly clock: Scheduler;
  /** Where log lines go; stdout when absent. */
  readonly logStream?: NodeJS.WritableStream;
  /** Folder of the built pages; absent: those that come with the product. */
  readonly pageFolder?: string;
  /** Ends a start that waits for Vault. */
  readonly signal?: AbortSignal;
}

/** A server that runs. */
export interface Server {
  readonly url: string;
  /** Makes the configuration on disk live, or changes nothing and tells why. */
  reload(): Promise<readonly Fault[]>;
  /** Replaces the processes that serve calls, without a lost call; says so in the log where there is this one alone. */
  restart(): Promise<void>;
  /** Logs an error that reached the process uncaught, a plugin's for example. */
  logUncaught(error: unknown): void;
  /** Lets running calls end, then closes everything. */
  close(): Promise<void>;
}

/**
 * Wires the rooms together by hand, and serves. Throws a ConfigError with every fault, or an Error that says what to
 * do; what was opened by then is closed again.
 */
export async function start(input: StartInput): Promise<Server> {
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

type Keep = <T extends Closable>(one: T) => T;

/** What everything else is opened with: files, a log, and the source of secrets. */
async function openGround({ clock, logStream, ...prepareInput }: StartInput, keep: Keep) {
  const fileStatesThen = await fileStates(prepareInput.configPath);
  const preparation = await createConfigLoader(prepareInput);
  const first = await preparation.read();
  const written = settingsOf(first);
  const telemetry = keep(openTelemetry(written.log, { clock, stream: logStream }));
  const { log, redactor, openHttpClient } = telemetry;
  const source = keep(
    // Whoever sets the machine's clock makes no secret older, and ends no lease.
    openSecrets(written.vault, {
      openHttpClient,
      env: prepareInput.env,
      scheduler: monotonic(clock),
      log,
    }),
  );
  const basis = createWorkerMode(written.server, source);
  return {
    fileStates: fileStatesThen,
    preparation,
    first,
    written,
    ...telemetry,
    basis,
    secrets: basis.secrets,
    masked: keep(redactedSecrets(basis.secrets, redactor)),
  };
}

/** Opens from the ground up; `keep` remembers what has to be closed, in the opposite order. */
async function open(input: StartInput, keep: Keep): Promise<Omit<Server, 'close'>> {
  const { clock, signal, configPath, pageFolder = PAGES } = input;
  const { preparation, first, written, basis, masked, ...ground } = await openGround(input, keep);
  const { redactor, log, setLevels, tracer, secrets } = ground;
  const { boot } = written.vault ?? NO_VAULT;
  const atBoot = { secrets: masked, boot, scheduler: monotonic(clock), log, ...(signal && { signal }) };
  const openKept = async (url: string): Promise<Store> => keep(await openStore(url));
  const { settings, store, desired, resolved } = await resolveInitialConfig(
    { preparation, first },
    openKept,
    atBoot,
  );
  await ground.exportSpans(settings.tracing);
  const judge = keep(openSchemaValidator({ ...settings.forms, scheduler: clock }));
  const yang = keep(openYang(settings.forms.yangPath));
  const audit = basis.audit(keep(await openAuditTrail(settings.audit, { store: store.audit, clock })));
  const callers = keep(await openAuth(settings.auth.local, { store, clock }));
  const { drainSeconds } = settings.server;
  const rooms = basis.rooms(
    createAdapterFactories({ clock, log, redactor, tracer, drainSeconds, ...callers }),
  );

  // Lines of the first starts obey them too.
  setLevels(logLevelsOf({ logLevel: settingsFrom(desired, resolved).log.level, desired }));
  const built = await buildSnapshot({ desired, resolved, generation: 1, redactor, rooms, log, clock });
  if ('faults' in built) throw new ConfigError(built.faults);
  const current = keep(new SnapshotHolder(built.snapshot));
  const reloading = keep(
    openConfigReloader({
      ...ground,
      current,
      started: desired,
      rooms,
      clock,
      configPath,
      read: preparation.read,
      combine: preparation.combine,
      platform: store.platform,
      subscribeClusterChanges: store.subscribeClusterChanges,
      pollRevokedTokens: callers.ended.poll,
    }),
  );
  const keptUp = basis.reloading(reloading);
  const serving = keep(
    await openServer({
      ...input,
      ...ground,
      ...callers,
      basis,
      settings,
      current,
      store,
      judge,
      yang,
      audit,
      redact: redactor.redact,
      combine: preparation.combine,
      plugins: preparation.plugins,
      reloading: keptUp,
      rooms: createAdapterFactories({ clock, log: silentLog }),
      pageFolder,
      sealing: createSecretStorage(written.vault, { secrets, redactor, log }),
    }),
  );
  const { url, restart } = serving;
  logStartup({ url, settings, snapshot: built.snapshot, log, ...callers });
  return {
    url,
    reload: keptUp.reload,
    restart: async () => {
      if (restart) await restart();
      else log.warn('there are no call workers to replace; server.workers asks for them');
    },
    logUncaught: (error) => {
      log.error('an error that nobody caught; the server goes on', { error });
    },
  };
}

/** Without Vault there is nothing to wait for. */
const NO_VAULT = { boot: { waitSeconds: 0, requireAll: false } };
