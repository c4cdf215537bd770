import { systemClock } from '../domain/clock.js';
import { start } from '../start.js';
import { type Command, EXIT } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';

/** Serves a configuration until it is told to stop. */
export const serve: Command = {
  name: 'serve',
  summary: 'serve a configuration until SIGTERM or SIGINT; SIGHUP reloads it',
  help: `Usage: gatehouse serve [--config PATH]

Serves the configuration. SIGHUP reads it again: a bad one changes nothing and is
reported in the log. SIGTERM and SIGINT let running calls end, then stop.

Options:
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const { config } = parseOptions(args, { config: { type: 'string' } });
    const running = await start({ configPath: configPath(config, io.env), env: io.env, clock: systemClock });
    io.onHangup(() => void running.reload());
    await io.stopped();
    await running.close();
    return EXIT.ok;
  },
};
