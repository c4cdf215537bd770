import { relative } from 'node:path';
import { formatFault } from '../core/fault.js';
import { type FileChange, type Migration, type SecretMigration, planMigration } from './lib/migrate.js';
import { exitCodeOf } from './check.js';
import { type Command, type CommandIo, EXIT, UsageError } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';
import { rewriteFile } from './rewrite-file.js';
import { formatTable } from './table.js';

/** Puts references into a configuration where values are that belong into Vault. */
export const secretsMigrate: Command = {
  name: 'secrets migrate',
  summary: 'propose references for $ENC values, and write them with --write',
  help: `Usage: gatehouse secrets migrate [--config PATH] [--dry-run | --write] [--from-literals]

Finds the values of a configuration that belong into Vault ($ENC..., {code}..., {crypt}...),
proposes a reference for each of them, and prints the change of every file as a JSON Patch and
the commands that store the values. Nothing is decrypted, and no value is printed.

Options:
${CONFIG_OPTION_HELP}
  --dry-run        print the plan and write nothing (the default)
  --write          change the files in place; FILE.bak keeps the former text (mode 0600),
                   FILE.json-patch the change
  --from-literals  also move plaintext that stands where a secret is expected

Exit codes: 0 done or nothing to do, 78 something cannot be moved.`,
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
    `${write ? 'Now store' : 'Store'} the values; each command reads one from standard input:\n\n` +
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
  return formatTable([['PLACE', 'POINTER', 'NOW', 'REFERENCE'], ...rows]);
}

function warningsFor(moves: readonly SecretMigration[]): string {
  const kinds = new Set(moves.map(({ kind }) => kind));
  const lines = [
    ...(kinds.has('$ENC') || kinds.has('{crypt}')
      ? ['The platform alone can decrypt its values: take them from there or from their source.']
      : []),
    ...(kinds.has('{code}')
      ? ['Warning: {code} is base64, not encryption. Whoever saw the file knows the value; change it.']
      : []),
    ...(kinds.has('plaintext')
      ? ['Warning: plaintext has been seen by whoever saw the file; change it when you store it.']
      : []),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

async function writeFiles(files: readonly FileChange[], io: CommandIo): Promise<void> {
  for (const { file, before, after, patch } of files) {
    const backup = await rewriteFile({ file, before, after, patch: textOf(patch) });
    io.out(`${nameOf(file)}: changed; the former text is in ${nameOf(backup)}\n`);
  }
  io.out('\n');
}

function textOf(patch: FileChange['patch']): string {
  return `${JSON.stringify(patch, null, 2)}\n`;
}

/** The shorter way to name a file. */
function nameOf(file: string): string {
  const near = relative('', file);
  return near !== '' && near.length < file.length ? near : file;
}
