import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Problem } from '../core/problem.js';
import type { Validator } from '../core/schema.js';
import { storedFormSchema } from '../features/forms/form-schema.js';
import type { Form, FormStore } from '../features/forms/form-store.js';
import { compileSchema } from '../json-schema/compile.js';
import { parseExactJson } from '../json/strict-json.js';
import { linesIn } from '../lib/byte-lines.js';
import { withConfiguredStore } from './configured-store.js';
import {
  type Subcommand,
  commandGroup,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './lib/command.js';

/** Restores exported forms with their ids, dates and authors. */
const formsImport: Subcommand = {
  name: 'forms import',
  usage: 'import --file PATH [--partial]',
  summary: 'restore exported forms',
  help: `Usage: gatehouse forms import --file PATH [--partial] [--config PATH]

Adds the forms of a file that "gatehouse forms export" wrote, with their ids, dates and authors.
Adds all forms or none: a form whose id or name exists already stops the import.

Options:
  --file PATH     file to import
  --partial       skip forms whose id or name exists already
${CONFIG_OPTION_HELP}

Exit codes: 0 forms added, 1 nothing changed.`,
  async run(args, io) {
    const options = parseOptions(args, {
      file: { type: 'string' },
      partial: { type: 'boolean', default: false },
      config: { type: 'string' },
    });
    const { file } = options;
    if (file === undefined) throw new UsageError('name the file: --file PATH');
    const input = { configPath: configPath(options.config, io.env), env: io.env };
    const added = await withConfiguredStore(input, ({ forms }) =>
      forms.restore(formsOf(file), { skip: options.partial }).catch(rethrowUnchanged),
    );
    io.out(`${added} ${added === 1 ? 'form' : 'forms'} added\n`);
    return EXIT.ok;
  },
};

function rethrowUnchanged(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  throw new Error(`${error.message} Nothing was added.`, { cause: error });
}

/** Yields the forms of a file, one per line. Throws at the first line that is not a form. */
async function* formsOf(path: string): AsyncGenerator<Form> {
  const validate = compileSchema(storedFormSchema);
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line !== '') yield formOf(line, number, validate);
  }
}

/**
 * Yields the lines of a file. Does not use Node's readline, which since release 24 also splits at U+2028,
 * because JSON may contain that character.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  yield rest;
}

/** Returns the form on a line. Throws an Error that names the line if it does not contain a form. */
function formOf(line: string, number: number, validate: Validator): Form {
  const parsed = parseExactJson(Buffer.from(line));
  if ('fault' in parsed) throw invalidForm(number, parsed.fault);
  const [violation] = validate(parsed.value).violations;
  if (violation) throw invalidForm(number, violation);
  return parsed.value as Form;
}

function invalidForm(number: number, { pointer, message }: { pointer: string; message: string }): Error {
  const what = pointer === '' ? `it ${message}` : `${pointer} ${message}`;
  return new Error(`line ${number} is not a form: ${what}. Nothing was added.`);
}

/** Writes every form as one line of JSON. */
const formsExport: Subcommand = {
  name: 'forms export',
  usage: 'export [--file PATH]',
  summary: 'write every form as one line of JSON',
  help: `Usage: gatehouse forms export [--file PATH] [--config PATH]

Writes every JSON form of the store as one line of JSON, oldest first. The server may run at
the same time. Previous versions of forms are not written.

Options:
  --file PATH     file to create, readable only by its owner (default: standard output)
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
    io.out(`${page.toString()}\n`);
    written += countLines(page);
  }
  return written;
}

/** Writes the forms to a new file and returns their number. Resolves after the content is synced to disk. */
async function toFile(forms: FormStore, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const page of forms.list()) {
      await file.writeFile(page);
      await file.writeFile('\n');
      written += countLines(page);
    }
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

function countLines(page: Buffer): number {
  return [...linesIn(page)].length;
}

/** Command group for backups of the JSON forms. */
export const forms = commandGroup('forms', [formsExport, formsImport]);
