import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileFault } from '../config/read-text.js';
import { ConfigError, formatFault } from '../core/fault.js';
import { parseJson } from '../core/strict-json.js';
import { checkConfig } from './lib/check.js';
import { installedIn } from './import-properties/installed.js';
import { type ImportPlan, planImport } from './import-properties/plan.js';
import { exitCodeOf } from './check.js';
import { type Command, type CommandIo, EXIT, UsageError } from './command.js';
import { importReport } from './import-report.js';
import { parsePositionals } from './options.js';

/** Makes a configuration of what the platform of the specification keeps in its properties and service configs. */
export const importProperties: Command = {
  name: 'import-properties',
  summary: "make a configuration of the platform's properties and service configs",
  help: `Usage: gatehouse import-properties FILE... [--out DIR] [--community DIR] [--dry-run] [--force]

Reads JSON files of the platform: its properties.json, a profile, the service configs of adapters, or
lists of those as GET /profiles and GET /adapters answer them. Writes DIR/gatehouse.yaml and
DIR/adapters/*.yaml that do the same, and checks them. Every secret becomes a reference to Vault, and
the report says where to put it; no secret is printed. What has no counterpart is listed with why, and
what to do instead.

Options:
  --out DIR        folder to write (default: gatehouse)
  --community DIR  folder with installed adapters of the public catalogue: adapters whose package is
                   there run as they are, others become http-rest or restconf
  --dry-run        print the files instead of writing them
  --force          overwrite files that are there

Exit codes: 0 done, 64 a file is there already, 78 an input cannot be read, or the result has faults.`,
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
    const plan = planImport({
      documents: await Promise.all(files.map(readJsonFile)),
      machine: { isThere: existsSync },
      ...(community !== undefined && { installed: installedIn(community, join(resolve(out), 'adapters')) }),
    });
    if (values['dry-run']) return printPlan(plan, out, io);
    await writePlan(plan, { folder: out, force: values.force });
    return reportWritten(plan, out, io);
  },
};

async function readJsonFile(file: string): Promise<{ readonly file: string; readonly value: unknown }> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError([{ ...fileFault(file, error), fix: 'Check the path, and the right to read it.' }]);
  });
  const parsed = parseJson(bytes);
  if ('value' in parsed && typeof parsed.value === 'object' && parsed.value !== null)
    return { file, value: parsed.value };
  const { pointer, message } =
    'fault' in parsed
      ? parsed.fault
      : { pointer: '', message: 'holds no properties, profile or service config' };
  const place = { file, line: 0, column: 0, pointer, code: 'file', message };
  throw new ConfigError([
    { ...place, fix: 'Take the file as the platform has it, or an answer of its API.' },
  ]);
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
  const there = files.map(({ path }) => join(folder, path)).filter((path) => existsSync(path));
  if (there.length > 0 && !force)
    throw new UsageError(
      `${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already; choose another --out, or overwrite with --force`,
    );
  for (const { path, text } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
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
