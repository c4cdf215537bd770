import type { Writable } from 'node:stream';
import { ConfigError } from '../core/fault.js';
import { parseListen } from '../http/listener.js';
import { systemScheduler } from '../lib/clock.js';
import { collectGarbage } from '../lib/collect-garbage.js';
import { failureClass } from '../secrets/secret-error.js';
import { type ConfigLoaderOptions, createConfigLoader, settingsOf } from '../server/config-loader.js';
import type { Server } from '../server/running-server.js';
import { createSystemdNotifier, type SystemdNotifier } from '../server/systemd-notifier.js';
import { startServer } from '../server/workers/starter.js';
import type { LogSettings } from '../settings/log.js';
import { openLog } from '../telemetry/log/open-log.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './lib/command.js';

/** Time from the start until its garbage is collected, in milliseconds. */
const COLLECT_DELAY_MS = 10_000;

/** CPU time after which code that does not return ends the process, until the configuration is read, in seconds. */
const START_WATCHDOG_SECONDS = 30;

/** Serves a configuration until a signal stops it. */
export const serve: Command = {
  name: 'serve',
  help: `Usage: gatehouse serve [--config PATH] [--listen HOST:PORT]

Serves the configuration. SIGHUP reloads it; an invalid configuration changes nothing, and
its errors are logged. SIGTERM, SIGINT and SIGQUIT stop the server: for server.lameDuckSeconds
it still accepts calls while /readyz answers 503, and a second signal cuts this time short; then
running calls have server.drainSeconds to finish. A further signal ends gatehouse at once.
SIGUSR2 replaces the processes of server.workers one by one, without losing a call. Each new
one reads the configuration, also the settings that need a restart, except those of the listener.

Options:
${CONFIG_OPTION_HELP}
  --listen HOST:PORT
                  address to listen on, in place of server.listen; port 0 lets the system choose`,
  async run(args, io) {
    const { config, listen } = parseOptions(args, { config: { type: 'string' }, listen: { type: 'string' } });
    if (listen !== undefined) checkListen(listen);
    // Registered before the start, so that a signal during the start does not kill the process halfway.
    const stop = listenForStop(io);
    // From here on, because plugins run while the configuration is read. The configuration then has its own limit.
    const watchdog = io.startWatchdog(START_WATCHDOG_SECONDS, { kind: 'log', fields: { pid: process.pid } });
    const input = { configPath: configPath(config, io.env), env: io.env };
    const starting = startServer({
      ...input,
      clock: systemScheduler,
      listen,
      logStream: io.logStream,
      signal: stop.first,
      watchdog,
    });
    // The server logs failed reloads and stray errors. A failed start is reported by the code below.
    const whenRunning = (then: (running: Server) => unknown): void => {
      starting.then(then).catch(() => undefined);
    };
    const notifier = createSystemdNotifier({
      env: io.env,
      pid: process.pid,
      onFailure: (reason) => {
        io.err(
          `gatehouse serve: systemd is not notified: ${reason}. Set Type=exec in the unit, or install systemd-notify.\n`,
        );
      },
    });
    io.onHangup(() => {
      whenRunning((running) => reloadNotified(running, notifier));
    });
    io.onRestart(() => {
      whenRunning((running) => running.restart());
    });
    io.onStray((error) => {
      whenRunning((running) => {
        running.logUncaught(error);
      });
    });
    try {
      const running = await starting;
      notifier.ready(`serves ${running.url}`);
      const cancel = systemScheduler.after(COLLECT_DELAY_MS, () => {
        // V8 collects only after many allocations, and keeps the memory of the start.
        collectGarbage('last-resort');
      });
      const signal = await stop.received;
      notifier.stopping();
      cancel();
      await running.stop({ signal, skip: stop.second, onDrain: stop.release });
    } catch (error) {
      // Errors of a canceled start are ignored, except faults of the configuration.
      if (stop.first.aborted && !(error instanceof ConfigError)) return EXIT.ok;
      await logStartFailure(error, input, io.logStream);
      throw error;
    }
    await Promise.all([watchdog.close(), notifier.close()]);
    return EXIT.ok;
  },
};

/** Throws a UsageError if the address is not `host:port`. */
function checkListen(address: string): void {
  try {
    parseListen(address);
  } catch {
    throw new UsageError(
      `--listen takes HOST:PORT, for example 127.0.0.1:8080 or [::]:8080, not "${address}"`,
    );
  }
}

/** Reloads the configuration, and reports the begin and the end to the service manager. The server logs the result. */
async function reloadNotified(running: Server, notifier: SystemdNotifier): Promise<void> {
  notifier.reloading();
  const faults = await running.reload().catch(() => undefined);
  notifier.ready(
    faults?.length === 0
      ? `serves ${running.url}`
      : 'serves the previous configuration; the log has the faults of the new one',
  );
}

interface StopSignals {
  /** Resolves to the name of the first signal. */
  readonly received: Promise<string>;
  /** Fires with the first signal. */
  readonly first: AbortSignal;
  /** Fires with the second signal. */
  readonly second: AbortSignal;
  /** Lets the next signal end the process at once. */
  readonly release: () => void;
}

function listenForStop(io: CommandIo): StopSignals {
  const [first, second] = [new AbortController(), new AbortController()];
  let release: () => void = () => undefined;
  const received = new Promise<string>((resolve) => {
    release = io.onStop((signal) => {
      if (first.signal.aborted) {
        second.abort();
        release();
      }
      first.abort();
      resolve(signal);
    });
  });
  return { received, first: first.signal, second: second.signal, release };
}

/** Settings of the log before a configuration is read. */
const DEFAULT_LOG: LogSettings = { level: 'info', format: 'auto', file: null, rotation: null, syslog: null };

/**
 * Writes one line about a failed start to the log of the configuration, so that programs that read the log see the reason, too.
 * If the configuration has faults, the line goes to standard output, or to `stream`. Does not throw.
 */
async function logStartFailure(
  error: unknown,
  options: ConfigLoaderOptions,
  stream?: Writable,
): Promise<void> {
  const { log, close } = openLog(await logSettingsOf(options), { ...(stream && { stream }) });
  if (error instanceof ConfigError) log.error(`start failed: ${reasonOf(error)}`, { faults: error.faults });
  else log.error('start failed', { error });
  await close();
}

/** Returns whose fault it is: Vault may be unavailable although the configuration is right. */
function reasonOf({ faults }: ConfigError): string {
  const isOutage = faults.length > 0 && faults.every(({ code }) => failureClass(code) === 'unavailable');
  return isOutage ? 'Vault is not available' : 'the configuration has faults';
}

async function logSettingsOf(options: ConfigLoaderOptions): Promise<LogSettings> {
  try {
    return settingsOf(await (await createConfigLoader(options)).read()).log;
  } catch {
    return DEFAULT_LOG;
  }
}
