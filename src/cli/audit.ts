import type { ChainVerification } from '../features/audit/audit-trail.js';
import type { ChainHead } from '../features/audit/chain.js';
import { keyFileOf, readKeyFile } from '../features/audit/trail/key.js';
import { verifyTrail } from '../features/audit/trail/verify-trail.js';
import { verifyFiles, verifyStore } from '../features/audit/trail/verify.js';
import { type ConfigLoaderOptions, createConfigLoader, settingsOf } from '../server/config-loader.js';
import type { AuditSettings } from '../settings/settings.js';
import { withConfiguredStore } from './configured-store.js';
import {
  type Subcommand,
  commandGroup,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parsePositionals,
  UsageError,
} from './lib/command.js';

/** Follows the chain of the audit trail to its first break. */
const auditVerify: Subcommand = {
  name: 'audit verify',
  usage: 'verify [FILE...]',
  summary: 'find the first record that was changed, removed or inserted',
  help: `Usage: gatehouse audit verify [--expect SEQ:HASH] [--key PATH] [--json] [--config PATH] [FILE...]

Verifies the hash chain of the configured audit trail with the files beside it that were moved
away, or of the named files (oldest first), and prints the first break. The server may run at the same time. A chain cannot prove that its end
is complete: store the last record that this command prints in another system, and pass it with
--expect the next time.

Options:
  --expect SEQ:HASH  a record that must be in the chain, or directly before its first record
  --key PATH         key file of the named files (default: the key next to audit.file); the
                     configuration is not read
  --json             print the result as JSON
${CONFIG_OPTION_HELP}

Exit codes: 0 intact, 1 broken.`,
  async run(args, io) {
    const { values, positionals } = parsePositionals(args, {
      expect: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'boolean', default: false },
      config: { type: 'string' },
    });
    if (values.key !== undefined && positionals.length === 0)
      throw new UsageError('name the files that --key belongs to');
    const verification = await verifyAudit({
      input: { configPath: configPath(values.config, io.env), env: io.env },
      files: positionals,
      keyFile: values.key,
      expected: values.expect === undefined ? undefined : parseHead(values.expect),
    });
    if (values.json) io.out(`${JSON.stringify(verification, null, 2)}\n`);
    else report(verification, io);
    if (!values.json)
      for (const { file, ...other } of verification.others ?? []) {
        io.out(`${file}:\n`);
        report(other, io);
      }
    return verification.whole ? EXIT.ok : EXIT.failed;
  },
};

function parseHead(text: string): ChainHead {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError('--expect takes the number and the hash of a record, with a colon between them');
  return { seq: Number(seq), hash };
}

function report(
  { records, first, last, unchained, torn, break: breakFound }: ChainVerification,
  io: CommandIo,
): void {
  if (breakFound) io.out(`${breakFound.place}: ${breakFound.kind}: ${breakFound.message}\n`);
  else io.out(records === 0 ? 'intact: no record\n' : `intact: records ${first} to ${last.seq}\n`);
  if (breakFound && records > 0) io.out(`records ${first} to ${last.seq} before the break are unchanged\n`);
  if (records > 0) io.out(`last record: ${last.seq}:${last.hash}\n`);
  if (unchained > 0) io.out(`${unchained} records from before the chain cannot be verified\n`);
  for (const place of torn) io.out(`${place}: incomplete because of a crash, as the audit trail records\n`);
}

interface AuditToVerify {
  readonly input: ConfigLoaderOptions;
  /** Files of one chain, oldest first; empty: the configured audit trail. */
  readonly files: readonly string[];
  /** Key of the files. If it is set, the configuration is not read. */
  readonly keyFile: string | undefined;
  /** A record that must be there. */
  readonly expected: ChainHead | undefined;
}

/**
 * Follows the chain of an audit trail to its first break. Throws an Error with a remedy if it cannot start.
 */
export async function verifyAudit({
  input,
  files,
  keyFile,
  expected,
}: AuditToVerify): Promise<ChainVerification> {
  if (keyFile !== undefined) return verifyFiles({ files, key: await requireKey(keyFile), expected });
  const { file, durability } = await auditSettings(input);
  if (durability === 'store' && files.length === 0)
    return withConfiguredStore(input, ({ audit }) => verifyStore(audit, expected));
  const key = await requireKey(keyFileOf(file));
  return files.length > 0 ? verifyFiles({ files, key, expected }) : verifyTrail({ file, key, expected });
}

/** Returns the audit settings. They never come from Vault, so nothing has to be opened to read them. */
async function auditSettings(input: ConfigLoaderOptions): Promise<AuditSettings> {
  return settingsOf(await (await createConfigLoader(input)).read()).audit;
}

async function requireKey(path: string): Promise<string> {
  const key = await readKeyFile(path);
  if (key !== undefined) return key;
  throw new Error(`The key ${path} does not exist. Name the key of the files with --key.`);
}

export const audit = commandGroup('audit', [auditVerify]);
