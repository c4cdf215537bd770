import { createReadStream } from 'node:fs';
import { storedFormSchema } from '../api/forms/form-schema.js';
import { withConfiguredStore } from './lib/configured-store.js';
import type { Form } from '../core/form.js';
import { Problem } from '../core/problem.js';
import type { Validator } from '../core/schema.js';
import { parseJson } from '../core/strict-json.js';
import { compileSchema } from '../json-schema/compile.js';
import { type Command, EXIT, UsageError } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';

/** Brings exported forms back as they were. */
export const formsImport: Command = {
  name: 'forms import',
  summary: 'bring exported forms back as they were',
  help: `Usage: gatehouse forms import --file PATH [--partial] [--config PATH]

Adds the forms of a file that "gatehouse forms export" wrote, with their ids, dates and authors.
All of them are added, or none: a form whose id or name is taken stops the import.

Options:
  --file PATH     the file
  --partial       pass over forms whose id or name is taken
${CONFIG_OPTION_HELP}

Exit codes: 0 done, 1 nothing was changed.`,
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
      forms.restore(formsOf(file), { skip: options.partial }).catch(untouched),
    );
    io.out(`${added} ${added === 1 ? 'form' : 'forms'} added\n`);
    return EXIT.ok;
  },
};

function untouched(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  throw new Error(`${error.message} Nothing was added.`, { cause: error });
}

/** The forms of a file, one a line; throws at the first line that is none. */
async function* formsOf(path: string): AsyncGenerator<Form> {
  const validate = compileSchema(storedFormSchema);
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line !== '') yield formOf(line, number, validate);
  }
}

/** The lines of a file. Not by Node's readline, which from release 24 on ends them at U+2028 too: JSON may hold that. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  yield rest;
}

/** Throws an Error that names the line when there is no form on it. */
function formOf(line: string, number: number, validate: Validator): Form {
  const parsed = parseJson(Buffer.from(line));
  if ('fault' in parsed) throw noForm(number, parsed.fault);
  const [violation] = validate(parsed.value).violations;
  if (violation) throw noForm(number, violation);
  return parsed.value as Form;
}

function noForm(number: number, { pointer, message }: { pointer: string; message: string }): Error {
  const what = pointer === '' ? `it ${message}` : `${pointer} ${message}`;
  return new Error(`line ${number} is no form: ${what}. Nothing was added.`);
}
