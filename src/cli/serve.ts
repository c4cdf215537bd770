import { systemScheduler } from '../core/lib/clock.js';
import { ConfigError } from '../core/fault.js';
import { type Server, createServer } from '../server/create-server.js';
import { type Command, EXIT } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';

/** Time from a start to the moment in which what it left is thrown away, in milliseconds. */
const TIDY_MS = 10_000;

/**
 * V8 throws away by itself only when there is much new, and gives room back only when little was made of late. Does
 * nothing where Node.js was not started with `--expose-gc`.
 */
function tidyMemory(): void {
  globalThis.gc?.();
}

/** Serves a configuration until it is told to stop. */
export const serve: Command = {
  name: 'serve',
  summary: 'serve a configuration until SIGTERM or SIGINT; SIGHUP reloads it',
  help: `Usage: gatehouse serve [--config PATH]

Serves the configuration. SIGHUP reads it again: a bad one changes nothing and is
reported in the log. SIGTERM and SIGINT let running calls end, then stop. SIGUSR2
replaces the processes of server.workers one by one, without a lost call.

Options:
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const { config } = parseOptions(args, { config: { type: 'string' } });
    // Asked for before the start: a signal that comes during it must not end the process half way.
    const stopped = io.stopped();
    const halt = new AbortController();
    void stopped.then(() => {
      halt.abort();
    });
    const starting = createServer({
      configPath: configPath(config, io.env),
      env: io.env,
      clock: systemScheduler,
      signal: halt.signal,
    });
    // What a reload or a stray error has to say stands in the log; a start that failed says it itself.
    const later = (then: (running: Server) => unknown): void => {
      starting.then(then).catch(() => undefined);
    };
    io.onHangup(() => {
      later((running) => running.reload());
    });
    io.onRestart(() => {
      later((running) => running.restart());
    });
    io.onStray((error) => {
      later((running) => {
        running.logUncaught(error);
      });
    });
    try {
      const running = await starting;
      const cancel = systemScheduler.after(TIDY_MS, tidyMemory);
      await stopped;
      cancel();
      await running.close();
    } catch (error) {
      // What a start that was called off has to say is of no interest.
      if (!halt.signal.aborted || error instanceof ConfigError) throw error;
    }
    return EXIT.ok;
  },
};
