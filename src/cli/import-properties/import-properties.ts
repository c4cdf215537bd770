import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, basename } from 'node:path';
import { isPackageName } from '../../adapters/plugin-packages.js';
import { fileFault } from '../../config/read-text.js';
import { ConfigError, formatFault } from '../../core/fault.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { parseJson } from '../../json/strict-json.js';
import { createFolder } from '../../lib/create-folder.js';
import { checkConfig } from '../check-config.js';
import { exitCodeOf } from '../check.js';
import {
  type Command,
  type CommandIo,
  EXIT,
  formatTable,
  parsePositionals,
  UsageError,
} from '../lib/command.js';
import type { Installed } from './adapter.js';
import type { SkippedEntry } from './import-report.js';
import { type ImportPlan, planImport } from './plan.js';
import { printablePointer } from './source-location.js';

/** Creates a configuration from the platform's properties and service configs. */
export const importProperties: Command = {
  name: 'import-properties',
  help: `Usage: gatehouse import-properties FILE... [--out DIR] [--community DIR] [--dry-run] [--force]

Reads JSON files of the platform: its properties.json, a profile, the service configs of adapters, or
lists of them as GET /profiles and GET /adapters return them. Writes an equivalent configuration to
DIR/gatehouse.yaml and DIR/adapters/*.yaml, and checks it. Every secret becomes a reference to Vault,
and the report says where to store it; no secret is printed. The report lists every value without a
counterpart, with the reason and an alternative.

Options:
  --out DIR        folder to write (default: gatehouse)
  --community DIR  folder with installed adapters of the public catalog: adapters that are in it, in
                   its folders or in its node_modules run unmodified, others become http-rest or
                   restconf, and the report says so
  --dry-run        print the files instead of writing them
  --force          overwrite existing files

Exit codes: 0 written, 64 a file exists already, 78 an input cannot be read, or the result has faults.`,
  async run(args, io) {
    const { values, positionals } = parsePositionals(args, {
      out: { type: 'string', default: 'gatehouse' },
      community: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    });
    const files = [...new Set(positionals)];
    if (files.length === 0) throw new UsageError('name at least one file, for example properties.json');
    const { out, community } = values;
    const adapters =
      community === undefined ? undefined : findInstalledAdapters(community, join(resolve(out), 'adapters'));
    const plan = planImport({
      documents: await Promise.all(files.map(readJsonFile)),
      machine: { isThere: existsSync },
      ...(adapters && { installed: adapters.find, searched: adapters.searched }),
    });
    if (values['dry-run']) return printPlan(plan, out, io);
    await writePlan(plan, { folder: out, force: values.force });
    return reportWritten(plan, out, io);
  },
};

async function readJsonFile(file: string): Promise<{ readonly file: string; readonly value: unknown }> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError([{ ...fileFault(file, error), fix: 'Check the path and its permissions.' }]);
  });
  const parsed = parseJson(bytes);
  if ('value' in parsed && typeof parsed.value === 'object' && parsed.value !== null)
    return { file, value: parsed.value };
  const { pointer, message } =
    'fault' in parsed
      ? parsed.fault
      : { pointer: '', message: 'holds no properties, profile or service config' };
  const location = { file, line: 0, column: 0, pointer, code: 'file', message };
  throw new ConfigError([{ ...location, fix: 'Use a file of the platform, or a response of its API.' }]);
}

function printPlan(plan: ImportPlan, folder: string, io: CommandIo): number {
  for (const { path, text } of plan.files) io.out(`--- ${join(folder, path)}\n${text}\n`);
  io.out(importReport(plan));
  io.out('Nothing was written. Run this again without --dry-run to write the files.\n');
  return EXIT.ok;
}

async function writePlan(
  { files }: ImportPlan,
  { folder, force }: { readonly folder: string; readonly force: boolean },
): Promise<void> {
  const existing = files.map(({ path }) => join(folder, path)).filter((path) => existsSync(path));
  if (existing.length > 0 && !force)
    throw new UsageError(
      `${existing.join(', ')} ${existing.length === 1 ? 'exists' : 'exist'} already; choose another --out, or overwrite with --force`,
    );
  for (const { path, text } of files) {
    const file = join(folder, path);
    createFolder(dirname(file));
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  }
}

async function reportWritten(plan: ImportPlan, folder: string, io: CommandIo): Promise<number> {
  for (const { path } of plan.files) io.out(`${join(folder, path)}: written\n`);
  io.out(`\n${importReport(plan)}`);
  const configPath = join(folder, 'gatehouse.yaml');
  const { faults } = await checkConfig({ configPath, env: io.env, probe: false });
  if (faults.length === 0)
    io.out(`${configPath}: no fault found. Next: store the secrets, then "gatehouse check --probe".\n`);
  for (const fault of faults) io.out(`${formatFault({ ...fault, file: relative('', fault.file) })}\n`);
  return exitCodeOf(faults);
}

/**
 * Returns the report of an import: secrets to store in Vault, manual tasks, and values that were left out.
 */
export function importReport(plan: ImportPlan): string {
  const { adapters } = plan;
  return [
    `${adapters} ${adapters === 1 ? 'adapter' : 'adapters'}\n`,
    secretsPart(plan),
    tasksPart(plan.tasks),
    skippedPart(plan.leftOut),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

function secretsPart({ moves, commands }: ImportPlan): string {
  if (moves.length === 0) return '';
  const rows = moves.map(({ pointer, kind, home, hint }) => [
    printablePointer(pointer),
    kind,
    `${home.path}#${home.field}`,
    hint ?? '',
  ]);
  return `${moves.length} ${moves.length === 1 ? 'secret' : 'secrets'} to store in Vault:

${formatTable([['VALUE AT', 'NOW', 'STORE AT', ''], ...rows])}
${encryptedNote(moves.map(({ kind }) => kind))}Each command reads one secret from standard input:

${commands.map((line) => `  ${line}\n`).join('')}`;
}

function encryptedNote(kinds: readonly string[]): string {
  const isEncrypted = kinds.some((kind) => kind === '$ENC' || kind === '{crypt}');
  return isEncrypted
    ? 'Only the platform can decrypt its values: take them from the platform or from their source.\n'
    : '';
}

function tasksPart(tasks: readonly string[]): string {
  return tasks.length === 0 ? '' : `To do:\n\n${tasks.map((task) => `  - ${task}\n`).join('')}`;
}

function skippedPart(groups: readonly SkippedEntry[]): string {
  if (groups.length === 0) return '';
  const parts = groups.map(
    ({ pointer, why, instead, leaves }) =>
      `  ${printablePointer(pointer)}: ${leaves.map((leaf) => nameOf(pointer, leaf)).join(', ')}\n    ${why} ${instead}\n`,
  );
  return `Not imported, because gatehouse has no counterpart:\n\n${parts.join('')}`;
}

/**
 * Returns the name of a value relative to the pointer of its reason. Marks unneeded secrets, because they
 * should be revoked.
 */
function nameOf(
  reasonPointer: string,
  { pointer, isSecret }: { readonly pointer: string; readonly isSecret: boolean },
): string {
  const name =
    pointer === reasonPointer ? 'it' : printablePointer(pointer.slice(reasonPointer.length)).slice(1);
  return isSecret ? `${name} (a secret that is not needed)` : name;
}

/** Secrets of adapters on the common library that their names do not reveal. */
const LIBRARY_SECRETS = ['/authentication/aws_secret_key'];

/** Installed adapters of the public catalog. */
interface InstalledAdapters {
  readonly find: (model: string) => Installed | undefined;
  /** Folders that were searched, and the adapters in them, as a sentence. */
  readonly searched: string;
}

/**
 * Finds the adapters in a folder, in its folders, and in its `node_modules`: each has a `pronghorn.json`. An adapter is
 * found by the name in its `package.json`, by the name of its folder, or by the last part of either. `from` is the folder of
 * the files that refer to the adapters.
 */
function findInstalledAdapters(folder: string, from: string): InstalledAdapters {
  const found = candidateFolders(resolve(folder))
    .filter((path) => existsSync(join(path, 'pronghorn.json')))
    .map((path) => ({ path, names: namesOf(path) }));
  const names = found.map(({ names: [name] }) => name);
  const list = names.length === 0 ? 'no adapter is there' : `the adapters there are ${names.join(', ')}`;
  return {
    searched: `searched for pronghorn.json in ${folder}, its folders and its node_modules; ${list}`,
    find(model) {
      if (!isPackageName(model)) return undefined;
      const adapter =
        found.find(({ names: own }) => own.includes(model)) ??
        found.find(({ names: own }) => own.map(lastPart).includes(lastPart(model)));
      return (
        adapter && {
          folder: relative(from, adapter.path),
          secrets: [...LIBRARY_SECRETS, ...decoratorSecrets(adapter.path)],
        }
      );
    },
  };
}

/** Returns the folder itself, and the folders in it and in its `node_modules`, also those of scopes. */
function candidateFolders(folder: string): readonly string[] {
  const children = [folder, join(folder, 'node_modules')].flatMap(subfolders);
  const scopes = children.filter((path) => basename(path).startsWith('@'));
  return [folder, ...children, ...scopes.flatMap(subfolders)];
}

/** Returns the folders in a folder, sorted, also those that are links; none if it cannot be read. */
function subfolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

/** Returns the names of an adapter: that of its package first, if it has one, then that of its folder. */
function namesOf(folder: string): readonly string[] {
  const name = valueAt(readJson(join(folder, 'package.json')), '/name');
  return [...(typeof name === 'string' ? [name] : []), basename(folder)];
}

function lastPart(name: string): string {
  return name.split('/').at(-1) ?? name;
}

/**
 * Returns the pointers that the adapter's decorator file marks as secret. Ignores faults of the file, because
 * the check of the adapter reports them.
 */
function decoratorSecrets(folder: string): readonly string[] {
  const decorators = readJson(join(folder, 'propertiesDecorators.json'));
  if (!Array.isArray(decorators)) return [];
  return decorators
    .filter(isJsonObject)
    .flatMap(({ type, pointer }) => (type === 'encryption' && typeof pointer === 'string' ? [pointer] : []));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
