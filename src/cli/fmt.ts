import { realpath, stat } from 'node:fs/promises';
import { listAdapterFiles } from '../config/adapter-files.js';
import { formatYaml } from '../config/format.js';
import { readText } from '../config/read-text.js';
import { replaceFile } from '../lib/durable-file.js';
import { adapterFolder } from '../server/state/configuration.js';
import { type Command, CONFIG_OPTION_HELP, configPath, EXIT, parsePositionals } from './lib/command.js';

/** Formats the files of a configuration. */
export const fmt: Command = {
  name: 'fmt',
  help: `Usage: gatehouse fmt [--config PATH] [--check] [FILE...]

Formats the main file and the files of adapters, or the named files: two spaces for each level,
at most one blank line. Comments, the order of keys, and values as they are written stay. JSON
files, and files that are not valid YAML, stay as they are. A running server reads changed files again.

Options:
${CONFIG_OPTION_HELP}
  --check         write nothing, and name the files that are not formatted

Exit codes: 0 formatted, 1 with --check: a file is not formatted, 78 a file cannot be formatted.`,
  async run(args, io) {
    const { values, positionals } = parsePositionals(args, {
      config: { type: 'string' },
      check: { type: 'boolean', default: false },
    });
    const files = positionals.length > 0 ? positionals : await filesOf(configPath(values.config, io.env));
    let code: number = EXIT.ok;
    for (const file of files.filter((name) => !name.endsWith('.json'))) {
      const read = readText(file);
      if ('fix' in read) {
        io.err(`${file} ${read.message}\n    ${read.fix}\n`);
        code = EXIT.config;
        continue;
      }
      const { text: before } = read;
      const formatted = formatYaml(before);
      if ('fault' in formatted) {
        io.err(`${file} ${formatted.fault}\n`);
        code = EXIT.config;
      } else if (formatted.text !== before) {
        if (values.check) code = code === EXIT.ok ? EXIT.failed : code;
        else await replaceFile(await realpath(file), Buffer.from(formatted.text), await stat(file));
        io.out(`${values.check ? 'not formatted' : 'formatted'}: ${file}\n`);
      }
    }
    return code;
  },
};

async function filesOf(main: string): Promise<readonly string[]> {
  const { files } = await listAdapterFiles(adapterFolder(main));
  return [main, ...files.map(({ file }) => file)];
}
