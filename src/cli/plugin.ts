import { type Command, UsageError } from './command.js';
import { pluginNew } from './plugin-new.js';

/** Everything about writing plugins; the work is done by its command. */
export const plugin: Command = {
  name: 'plugin',
  summary: 'begin an adapter plugin of your own',
  help: `Usage: gatehouse plugin COMMAND [OPTIONS]

Commands:
  new      ${pluginNew.summary}

gatehouse plugin COMMAND --help tells more about one of them.`,
  commands: [pluginNew],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name what to do: new${given}`);
  },
};
