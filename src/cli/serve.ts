import { systemScheduler } from '../core/lib/clock.js';
import { ConfigError } from '../core/fault.js';
import { type Server, createServer } from '../server/create-server.js';
import { type Command, CONFIG_OPTION_HELP, configPath, EXIT, parseOptions } from './command.js';

/** Time from the start until its garbage is collected, in milliseconds. */
const COLLECT_DELAY_MS = 10_000;

/** CPU time after which code that does not return ends the process, until the configuration is read, in seconds. */
const START_WATCHDOG_SECONDS = 30;

/**
 * Collects garbage. V8 collects only after many allocations, and returns memory only after a period with few
 * allocations. Does nothing unless Node.js was started with `--expose-gc`.
 */
function collectGarbage(): void {
  globalThis.gc?.();
}

/** Serves a configuration until SIGTERM or SIGINT. */
export const serve: Command = {
  name: 'serve',
  summary: 'serve a configuration until SIGTERM or SIGINT; SIGHUP reloads it',
  help: `Usage: gatehouse serve [--config PATH]

Serves the configuration. SIGHUP reloads it; an invalid configuration changes nothing, and
its faults are logged. SIGTERM and SIGINT let running calls finish, then stop the server.
SIGUSR2 replaces the processes of server.workers one by one, without losing a call.

Options:
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const { config } = parseOptions(args, { config: { type: 'string' } });
    // Registered before the start, so that a signal during the start does not kill the process halfway.
    const stopped = io.stopped();
    const abort = new AbortController();
    void stopped.then(() => {
      abort.abort();
    });
    // From here on, because plugins run while the configuration is read. The configuration then has its own limit.
    const watchdog = io.startWatchdog(START_WATCHDOG_SECONDS, { kind: 'log', fields: { pid: process.pid } });
    const starting = createServer({
      configPath: configPath(config, io.env),
      env: io.env,
      clock: systemScheduler,
      signal: abort.signal,
      watchdog,
    });
    // The server logs failed reloads and stray errors. A failed start is reported by the code below.
    const whenRunning = (then: (running: Server) => unknown): void => {
      starting.then(then).catch(() => undefined);
    };
    io.onHangup(() => {
      whenRunning((running) => running.reload());
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
      const cancel = systemScheduler.after(COLLECT_DELAY_MS, collectGarbage);
      await stopped;
      cancel();
      await running.close();
    } catch (error) {
      // Errors of a canceled start are ignored, except faults of the configuration.
      if (!abort.signal.aborted || error instanceof ConfigError) throw error;
    }
    await watchdog.close();
    return EXIT.ok;
  },
};
