import { type Command, UsageError } from './command.js';
import { formsExport } from './forms-export.js';
import { formsImport } from './forms-import.js';

/** Backup of the JSON forms; the work is done by its two commands. */
export const forms: Command = {
  name: 'forms',
  summary: 'write the JSON forms to a file, or bring them back',
  help: `Usage: gatehouse forms COMMAND [OPTIONS]

Commands:
  export [--file PATH]            ${formsExport.summary}
  import --file PATH [--partial]  ${formsImport.summary}

gatehouse forms COMMAND --help tells more about one of them.`,
  commands: [formsExport, formsImport],
  run([word]) {
    const given = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`name what to do: export or import${given}`);
  },
};
