import { silentLog } from '../core/log.js';
import { createSecretStorage } from '../features/adapters/index.js';
import { announceCacheChanges, createCacheChanges } from '../features/cache/cache-changes.js';
import { openSchemaValidator } from '../features/forms/schema-validator.js';
import { openApplications } from '../features/index.js';
import { openCallerLimits } from '../features/limits/index.js';
import { openYang } from '../features/yang-forms/index.js';
import { monotonic, type Scheduler } from '../lib/clock.js';
import { CloserStack } from '../lib/closer-stack.js';
import { openSecrets } from '../secrets/open-secrets.js';
import { createAdapterFactories } from './adapter-factories.js';
import type { ConfigLoaderOptions } from './config-loader.js';
import { createHttpApp, type PageFolders, PAGES } from './http-app.js';
import { resolveInitialConfig } from './initial-config.js';
import { openListener } from './listener.js';
import { logStartup } from './log-startup.js';
import { openAuth } from './open-auth.js';
import { openStorage } from './open-storage.js';
import { openTelemetry } from './open-telemetry.js';
import { type ReadAtStart, readAtStart } from './read-at-start.js';
import { createRunningServer, type Server } from './running-server.js';
import { createShutdown } from './shutdown.js';
import { openConfigReloader } from './state/config-reloader.js';
import { logLevelsOf } from './state/log-levels.js';
import { buildFirstSnapshot } from './state/reload.js';
import { redactedSecrets, settingsFrom } from './state/resolve.js';
import { SnapshotHolder } from './state/swap.js';
import type { Watchdog } from './watchdog/watchdog.js';
import { shareChanges } from './workers/shared-changes.js';
import { adapterStartsOf, shareOfAdapter, shareOfServer } from './workers/shares.js';
import { ALONE, type Siblings } from './workers/siblings.js';

export type { Server };

export interface ServerOptions extends ConfigLoaderOptions, PageFolders {
  readonly clock: Scheduler;
  /** Address as `host:port` that replaces `server.listen`, also after a reload. */
  readonly listen?: string | undefined;
  /** Receives the log lines; stdout when absent. */
  readonly logStream?: NodeJS.WritableStream | undefined;
  /** Cancels the wait for Vault during the start. */
  readonly signal?: AbortSignal;
  /** Watches the event loop of this process; absent: nothing does. */
  readonly watchdog?: Pick<Watchdog, 'configure'>;
  /** The other processes of this server; absent: there are none. */
  readonly siblings?: Siblings;
}

/**
 * Creates the server. This is the composition root, in the order of the boot. Throws a ConfigError with every fault, or an
 * Error that says what to do. Closes everything that it opened before it throws.
 */
export async function createServer(options: ServerOptions, read?: ReadAtStart): Promise<Server> {
  const closers = new CloserStack();
  try {
    return await build(options, read ?? (await readAtStart(options)), closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function build(options: ServerOptions, read: ReadAtStart, closers: CloserStack): Promise<Server> {
  const { configPath, env, clock, signal, logStream, pageFolder = PAGES, siblings = ALONE } = options;
  const { processes } = siblings;
  const scheduler = monotonic(clock);

  // 1. Configuration files. Faults are reported together, with file, line and fix.
  const { loader, files, written, isConfigured } = read;
  options.watchdog?.configure(written.server.watchdogSeconds, { log: written.log });

  // 2. Log and traces. The redactor receives every secret before a log line can contain it. The shutdown writes the last line.
  const telemetry = closers.add(openTelemetry(written.log, { clock, stream: logStream, siblings }));
  const { log, redactor, tracer, openHttpClient } = telemetry;
  const shutdown = closers.add(createShutdown({ settings: written.server, scheduler, log }));

  // 3. Vault and files of secrets.
  const secrets = closers.add(openSecrets(written, { openHttpClient, env, scheduler, log, isConfigured }));
  const secretsAtBoot = closers.add(redactedSecrets(secrets, redactor));
  const boot = written.vault?.boot ?? { waitSeconds: 0, requireAll: false };

  // 4. Store and audit trail, and the complete configuration: the files and the adapters that are registered in the store.
  const initial = await resolveInitialConfig(
    { loader, first: files },
    (configured) => openStorage(configured, { configPath, closers, siblings, clock, log }),
    { secrets: secretsAtBoot, boot, scheduler, log, ...(signal && { signal }) },
  );
  const { store, trail: audit, desired, resolved } = initial;
  const settings = { ...initial.settings, server: shareOfServer(initial.settings.server, processes) };
  await telemetry.exportSpans(settings.tracing);
  const validator = closers.add(
    openSchemaValidator({ ...settings.forms, yangModels: store.yangModels, scheduler: clock }),
  );
  const yang = closers.add(openYang(settings.forms, { models: store.yangModels, now: () => clock.now() }));

  // 5. Authentication: built-in issuer, revoked tokens, login attempts.
  const auth = closers.add(await openAuth(settings.auth.local, { store, clock, log }));
  const { revokedTokens, browserSessions, attempts, local, tokens } = auth;
  const cacheChanges = createCacheChanges();

  // 6. Adapters, and the snapshot that serves calls. Log levels are set first: the adapters log while they start.
  const factories = createAdapterFactories({
    clock,
    log,
    redactor,
    tracer,
    drainSeconds: settings.server.drainSeconds,
    adapterStarts: adapterStartsOf(settings.server, processes),
    share: (adapter) => shareOfAdapter(adapter, processes),
    cache: { maxBytes: settings.server.limits.cacheBytes, changes: cacheChanges },
    revokedTokens,
    attempts,
    local,
    signInKey: siblings.signInKey,
  });
  telemetry.setLevels(logLevelsOf({ logLevel: settingsFrom(desired, resolved).log.level, desired }));
  const snapshot = await buildFirstSnapshot({ desired, resolved }, { redactor, factories, log, clock });
  const current = closers.add(new SnapshotHolder(snapshot));

  // 7. Reload. Files, signals, the API, rotated secrets and other nodes share one queue.
  const ownReloader = closers.add(
    openConfigReloader({
      configPath,
      fileStates: read.fileStates,
      read: loader.read,
      combine: loader.combine,
      plugins: loader.plugins,
      started: desired,
      current,
      secrets,
      factories,
      redactor,
      platform: store.platform,
      audit,
      subscribeClusterChanges: store.subscribeClusterChanges,
      pollRevokedTokens: revokedTokens.poll,
      setLevels: telemetry.setLevels,
      clock,
      log,
    }),
  );
  announceCacheChanges(cacheChanges, store.peers, { scheduler, log });
  const changes = shareChanges(siblings, {
    reloader: ownReloader,
    revokedTokens: auth.shared,
    cacheChanges,
    applications: () => applications,
  });

  // 8. Limits of callers, and applications, each with its own dependencies. Their factories only check, and log nothing.
  const limits = closers.add(openCallerLimits({ current, store, clock, scheduler, log }));
  const applications = openApplications({
    settings,
    plugins: loader.plugins,
    combine: loader.combine,
    current,
    limits,
    secrets,
    reloader: changes.reloader,
    store,
    factories: createAdapterFactories({ clock, log: silentLog }),
    runningFactories: factories,
    cacheChanges,
    secretStorage: createSecretStorage(written.vault, { secrets, redactor, log }),
    validator,
    yang,
    audit,
    ended: revokedTokens,
    browserSessions,
    tokens,
    siblings,
    isStopping: shutdown.isStopping,
    whenPropagated: changes.whenPropagated,
    spanCounts: telemetry.spanCounts,
    droppedLines: telemetry.droppedLines,
    lines: telemetry.lines,
    pageFolder,
    redactor,
    clock,
    log,
  });
  // The last calls are counted before the store closes.
  closers.add({ close: applications.saveTraffic });
  closers.add(await telemetry.exportMetrics(settings, applications.metrics));

  // 9. HTTP: one request pipeline.
  const app = createHttpApp({ ...options, settings, limits, applications, current, audit, telemetry });
  revokedTokens.onEnd(app.checkStreams);

  // 10. Listen; a worker receives its connections from the starter.
  const listener = closers.add(
    await openListener({ app, settings, listen: options.listen, siblings, current, env, tracer, log }),
  );
  const noteUrl = (url: string, isStart: boolean): void => {
    current.current().egress.denyListener(url);
    if (isStart) logStartup({ url, settings, snapshot, factories, local, log });
  };
  if (processes === 1) noteUrl(listener.url, true);
  siblings.control({
    ...listener,
    closeListener: listener.close,
    listens: noteUrl,
    announceStop: shutdown.announce.bind(shutdown, listener.endKeepAlive),
    applyChange: changes.apply,
    answer: applications.answer,
    metrics: applications.metrics,
  });
  return createRunningServer({ listener, reloader: ownReloader, shutdown, closers, log });
}
