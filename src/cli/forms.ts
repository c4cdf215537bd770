import { type Command, UsageError, type CommandIo, EXIT } from './command.js';
import { formsImport } from './forms-import.js';
import { open } from 'node:fs/promises';
import { withConfiguredStore } from './lib/configured-store.js';
import type { FormStore } from '../core/form.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';

/** Writes every form as one line of JSON. */
const formsExport: Command = {
  name: 'forms export',
  summary: 'write every form as one line of JSON',
  help: `Usage: gatehouse forms export [--file PATH] [--config PATH]

Writes every JSON form of the store as one line of JSON, oldest first. The server may run
meanwhile. Former states of forms are not written.

Options:
  --file PATH     a new file, readable by its owner only (default: standard output)
${CONFIG_OPTION_HELP}`,
  async run(args, io) {
    const options = parseOptions(args, { file: { type: 'string' }, config: { type: 'string' } });
    const input = { configPath: configPath(options.config, io.env), env: io.env };
    const written = await withConfiguredStore(input, ({ forms }) =>
      options.file === undefined ? toOutput(forms, io) : toFile(forms, options.file),
    );
    io.err(`${written} ${written === 1 ? 'form' : 'forms'} written\n`);
    return EXIT.ok;
  },
};

async function toOutput(forms: FormStore, io: CommandIo): Promise<number> {
  let written = 0;
  for await (const page of forms.list()) {
    io.out(linesOf(page));
    written += page.length;
  }
  return written;
}

/** Writes the forms to a new file and returns their number. Resolves after the content is synced to disk. */
async function toFile(forms: FormStore, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const page of forms.list()) {
      await file.writeFile(linesOf(page));
      written += page.length;
    }
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

function linesOf(page: readonly string[]): string {
  return page.map((json) => `${json}\n`).join('');
}

/** Command group for backups of the JSON forms. */
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
