import { open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { formatFault } from '../core/fault.js';
import { replaceFile, writeAndSync } from '../lib/durable-file.js';
import { exitCodeOf } from './check.js';
import {
  type Subcommand,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  formatTable,
  parseOptions,
  UsageError,
} from './lib/command.js';
import { type FileChange, type Migration, type SecretMigration, planMigration } from './plan-migration.js';

/** Replaces values that belong in Vault with references. */
export const secretsMigrate: Subcommand = {
  name: 'secrets migrate',
  usage: 'migrate',
  summary: 'propose references for $ENC values, and write them with --write',
  help: `Usage: gatehouse secrets migrate [--config PATH] [--dry-run | --write] [--from-literals]

Finds the values of a configuration that belong in Vault ($ENC..., {code}..., {crypt}...) and
proposes a reference for each. Prints the change of every file as a JSON Patch, and the
commands that store the values. Nothing is decrypted, and no value is printed.

Options:
${CONFIG_OPTION_HELP}
  --dry-run        print the plan and write nothing (the default)
  --write          change the files in place; FILE.bak contains the previous text (mode 0600),
                   FILE.json-patch the change
  --from-literals  also move plaintext at the positions of secrets

Exit codes: 0 done or nothing to do, 78 a value cannot be moved.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'from-literals': { type: 'boolean', default: false },
    });
    if (options['dry-run'] && options.write) throw new UsageError('choose one of --dry-run and --write');
    const path = configPath(options.config, io.env);
    const plan = await planMigration({
      configPath: path,
      env: io.env,
      fromLiterals: options['from-literals'],
    });
    if (plan.moves.length === 0) io.out(`${path}: no value to move to Vault\n`);
    else await runMigration(plan, options.write, io);
    for (const fault of plan.faults) io.out(`${formatFault(fault)}\n`);
    return plan.faults.length === 0 ? EXIT.ok : exitCodeOf(plan.faults);
  },
};

async function runMigration(plan: Migration, write: boolean, io: CommandIo): Promise<void> {
  const { moves, files, commands } = plan;
  io.out(
    `${moves.length} ${moves.length === 1 ? 'value' : 'values'} to move to Vault:\n\n${tableOf(moves)}\n`,
  );
  io.out(warningsFor(moves));
  if (write) await writeFiles(files, io);
  else for (const { file, patch } of files) io.out(`JSON Patch for ${nameOf(file)}:\n${textOf(patch)}\n`);
  io.out(
    `${write ? 'Now store' : 'Store'} the values; each command reads one value from standard input:\n\n` +
      `${commands.map((line) => `  ${line}\n`).join('')}\n`,
  );
  io.out(
    write
      ? 'Then run "gatehouse secrets check", and delete the backups.\n'
      : 'Nothing was written. Run this again with --write to change the files.\n',
  );
}

function tableOf(moves: readonly SecretMigration[]): string {
  const rows = moves.map(({ file, line, column, pointers, kind, home }) => [
    `${nameOf(file)}:${line}:${column}`,
    pointers[0],
    kind,
    home.text,
  ]);
  return formatTable([['LOCATION', 'POINTER', 'NOW', 'REFERENCE'], ...rows]);
}

function warningsFor(moves: readonly SecretMigration[]): string {
  const kinds = new Set(moves.map(({ kind }) => kind));
  const lines = [
    ...(kinds.has('$ENC') || kinds.has('{crypt}')
      ? ['Only the platform can decrypt its values: take them from the platform or from their source.']
      : []),
    ...(kinds.has('{code}')
      ? ['Warning: {code} is base64, not encryption. Every reader of the file knows the value; change it.']
      : []),
    ...(kinds.has('plaintext')
      ? ['Warning: every reader of the file knows a plaintext value; change it when you store it.']
      : []),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

async function writeFiles(files: readonly FileChange[], io: CommandIo): Promise<void> {
  for (const { file, before, after, patch } of files) {
    const backup = await rewriteFile({ file, before, after, patch: textOf(patch) });
    io.out(`${nameOf(file)}: changed; the previous text is in ${nameOf(backup)}\n`);
  }
  io.out('\n');
}

function textOf(patch: FileChange['patch']): string {
  return `${JSON.stringify(patch, null, 2)}\n`;
}

/** Returns the shorter of the relative and the absolute path. */
function nameOf(file: string): string {
  const relativePath = relative('', file);
  return relativePath !== '' && relativePath.length < file.length ? relativePath : file;
}

/** New text of a file, and the patch to store next to it. */
interface Rewrite {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Text of `<file>.json-patch`. */
  readonly patch: string;
}

/**
 * Replaces a file atomically, also in case of a crash, and preserves its permissions. Stores the previous text
 * in `<file>.bak`, or `.bak.2` and so on if backups exist, readable by its owner only. Writes the change to
 * `<file>.json-patch`. Returns the name of the backup. Throws if the file has changed since it was read.
 */
export async function rewriteFile({ file, before, after, patch }: Rewrite): Promise<string> {
  const target = await realpath(file);
  const bytes = await readFile(target);
  if (new TextDecoder().decode(bytes) !== before)
    throw new Error(`${file} has changed since it was read; run the command again`);
  const backup = await keepBackup(file, bytes);
  await replaceFile(`${file}.json-patch`, Buffer.from(patch), { mode: 0o600 });
  await replaceFile(target, Buffer.from(after), await stat(target));
  return backup;
}

async function keepBackup(file: string, bytes: Buffer): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${file}.bak` : `${file}.bak.${number}`;
    const handle = await open(name, 'wx', 0o600).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
      throw error;
    });
    if (!handle) continue;
    try {
      await writeAndSync(handle, bytes);
    } catch (error) {
      // A partial backup could be mistaken for a complete backup.
      await rm(name, { force: true });
      throw error;
    }
    return name;
  }
}
