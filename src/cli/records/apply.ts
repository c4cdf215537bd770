import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeYaml } from '../../config/yaml.js';
import { isJsonObject } from '../../json/json-object.js';
import { createFolder } from '../../lib/create-folder.js';
import { errorMessage } from '../../lib/error-message.js';
import { printable } from '../../lib/escape-unprintable.js';
import { type Command, type CommandIo, EXIT, parsePositionals } from '../lib/command.js';
import { Refusal } from '../login/gateway.js';
import { planFolder } from './plan-folder.js';
import { linesOfChange, summaryOf } from './print-plan.js';
import { RECORD_KINDS } from './record-folder.js';
import type { ChangeRequest, ManagedRecord, RecordKind } from './record-kind.js';
import { nameOf, type PlannedChange } from './record-plan.js';
import { SERVER_OPTIONS, SERVER_OPTIONS_HELP, TOKEN_HELP, withRecords } from './with-records.js';

/** Writes the records of a running server to a folder. */
export const dump: Command = {
  name: 'dump',
  help: `Usage: gatehouse dump DIR [--url URL] [--kind KIND]

Writes the adapters that were registered through the API, the profiles, the JSON forms, and the stored
access rules and limits of a running gatehouse to DIR/adapters, DIR/profiles, DIR/forms,
DIR/access-rules and DIR/limits: one YAML file for each, without what the server fills in. Replaces
files with the same names, and removes none. Secrets are references to Vault. Adapters and rules in
files of the server are left out: these files are their source.

Options:
${SERVER_OPTIONS_HELP}

${TOKEN_HELP}

Exit codes: 0 written, 64 wrong usage, 77 not signed in or refused, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, SERVER_OPTIONS);
    return withRecords(
      { name: 'dump', positionals, values, io },
      async ({ client, folder, kinds = RECORD_KINDS }) => {
        for (const kind of kinds) {
          const present = await kind.list(client);
          const records = present.filter(({ isInFile }) => isInFile !== true);
          const written = records.map(({ name, value }) => ({ name, value: kind.written(value) }));
          const paths = await writeRecords(folder, kind, written);
          for (const path of paths) io.out(`${path}\n`);
          const left = present.length - records.length;
          if (left > 0)
            io.err(`${left} ${kind.title}${left === 1 ? '' : 's'} in files of the server left out\n`);
        }
        return EXIT.ok;
      },
    );
  },
};

/** Makes a running server equal to the files of a folder. */
export const apply: Command = {
  name: 'apply',
  help: `Usage: gatehouse apply DIR [--prune] [--dry-run] [--comment TEXT] [--url URL] [--kind KIND]

Creates and updates the adapters, profiles, forms, access rules and limits of a running gatehouse as the
files in DIR/adapters, DIR/profiles, DIR/forms, DIR/access-rules and DIR/limits describe them;
"gatehouse diff" shows the changes, and "gatehouse dump" writes such files. A second run changes nothing. A record that somebody else changes
at the same time is not overwritten, except a form. Checks all records before the first change, and then goes on after a
record that the server refuses all the same.

Options:
  --prune         also delete records of the server that no file declares
  --dry-run       print the changes, and make none
  --comment TEXT  reason of the changes, for the history of the records
${SERVER_OPTIONS_HELP}

${TOKEN_HELP}

Exit codes: 0 applied, 64 wrong usage, 77 not signed in, 78 a fault of the files or a record that the
server would refuse, 1 a record was refused, or any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, {
      ...SERVER_OPTIONS,
      prune: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      comment: { type: 'string' },
    });
    return withRecords({ name: 'apply', positionals, values, io }, async ({ client, folder, kinds }) => {
      const changes = await planFolder(client, { folder, kinds, prune: values.prune, io });
      if (values['dry-run']) {
        for (const change of changes) io.out(linesOfChange(change));
        io.err(`${summaryOf(changes)}; nothing was changed\n`);
        return EXIT.ok;
      }
      return applyChanges(changes, { client, comment: values.comment }, io);
    });
  },
};

async function applyChanges(
  changes: readonly PlannedChange[],
  request: ChangeRequest,
  io: CommandIo,
): Promise<number> {
  let refused = 0;
  for (const change of changes)
    try {
      await applyChange(request, change);
      io.out(linesOfChange(change));
    } catch (error) {
      // An ended sign-in refuses all others as well.
      if (!(error instanceof Refusal) || error.status === 401) throw error;
      refused += 1;
      io.err(`! ${change.kind.title} ${printable(nameOf(change))}: ${errorMessage(error)}\n`);
    }
  const made = changes.length - refused;
  io.err(`${made} ${made === 1 ? 'change' : 'changes'} made${refused > 0 ? `, ${refused} refused` : ''}\n`);
  return refused > 0 ? EXIT.failed : EXIT.ok;
}

function applyChange(request: ChangeRequest, change: PlannedChange): Promise<void> {
  switch (change.action) {
    case 'create':
      return change.kind.create(request, change.declared);
    case 'update':
      return change.kind.update(request, change.declared, change.present);
    case 'delete':
      return change.kind.remove(request, change.present);
  }
}

/** Writes the records of a kind as YAML, one file for each. Replaces files with the same names. Returns their paths. */
async function writeRecords(
  folder: string,
  kind: RecordKind,
  records: readonly ManagedRecord[],
): Promise<readonly string[]> {
  const target = join(folder, kind.folder);
  createFolder(target);
  // File systems may not distinguish upper and lower case.
  const paths = new Map<string, string>();
  for (const { name, value } of records) {
    const path = [fileName(name), withDigest(name)]
      .map((stem) => join(target, `${stem}.yaml`))
      .find((one) => !paths.has(one.toLowerCase()));
    if (path === undefined) throw new Error(`Two records of ${target} have the name "${name}".`);
    paths.set(path.toLowerCase(), path);
    await writeFile(path, writeYaml(withoutVariables(value)));
  }
  return [...paths.values()];
}

/** Returns a value whose texts are read without variables: `$${` is read as `${`. */
function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', '$$${');
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutVariables(member)]));
}

/** Maximum length of the name of a file, without its extension. */
const MAX_STEM = 200;

/** Returns the name of a file for any name: other characters than those of an adapterId are percent-encoded. */
function fileName(name: string): string {
  const stem = encoded(name).replace(/^\./, '%2E');
  return stem.length > MAX_STEM ? withDigest(name) : stem;
}

/** Returns the name of a file that no other name has: long names may begin alike. */
function withDigest(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  let start = '';
  for (const character of name) {
    const next = start + encoded(character);
    if (next.length + 1 + digest.length > MAX_STEM) break;
    start = next;
  }
  return `${start.replace(/^\./, '%2E')}-${digest}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', ' ')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
