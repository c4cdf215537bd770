import { asSettings } from '../config/settings-schema.js';
import { ConfigError, type Fault, formatFault } from '../core/fault.js';
import { silentLog } from '../core/log.js';
import { systemScheduler } from '../lib/clock.js';
import { WORLD_READABLE_FIX } from '../secrets/files/file-store.js';
import { openSecrets } from '../secrets/open-secrets.js';
import type { ReferenceCheck } from '../secrets/resolve.js';
import { STILL_WRAPPED } from '../secrets/vault/unwrap-token.js';
import { type ConfigLoaderOptions, createConfigLoader } from '../server/config-loader.js';
import { type ConfigSection, locateFault } from '../server/state/configuration.js';
import { openHttpClient } from '../upstream/client.js';
import { exitCodeOf } from './check.js';
import {
  type Subcommand,
  commandGroup,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  formatTable,
  parseOptions,
} from './lib/command.js';
import { secretsMigrate } from './secrets-migrate.js';

/** Checks that every reference of a configuration can be resolved. Reads values of Vault only where it cannot list names. */
const secretsCheck: Subcommand = {
  name: 'secrets check',
  usage: 'check',
  summary: 'check that Vault, or its file, has a value for every reference',
  help: `Usage: gatehouse secrets check [--config PATH] [--json] [--show-fields]

Logs in to Vault like the server and lists every reference of the configuration with its path,
its version, and whether its field exists. With KV version 2, only the field names are read
(the role needs "read" on MOUNT/subkeys/PATH): a value that is "not checked" may be empty or no base64 text.
With KV version 1, the values are read and discarded. No value is printed. Accounts of other engines ("not asked") are not read, because each
read creates one; the command asks whether the policy allows the read. A wrapping token (vault.auth.secretIdWrapped) is looked up and stays
as it is for the server; references are then not asked for. No file is removed.
Files of secrets are read like the server reads them; a file that every user may read is a warning.

Options:
${CONFIG_OPTION_HELP}
  --json           print the list as a JSON array
  --show-fields    also print the names of the existing fields

Exit codes: 0 every reference can be resolved, or the wrapping token is valid, 78 a reference cannot, or the configuration has faults,
75 Vault cannot be reached, 77 Vault denied access.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      json: { type: 'boolean', default: false },
      'show-fields': { type: 'boolean', default: false },
    });
    const path = configPath(options.config, io.env);
    const references = await checkSecrets({ configPath: path, env: io.env });
    const shown = references.map((entry) => (options['show-fields'] ? entry : { ...entry, names: [] }));
    if (options.json) io.out(`${JSON.stringify(shown.map(asJson), null, 2)}\n`);
    else if (shown.length === 0) io.out(`${path}: no reference to a secret\n`);
    else report(shown, options['show-fields'], io);
    if (shown.some(isUncheckedValue)) io.err(`${UNCHECKED_VALUES}\n`);
    if (references.some(isStillWrapped)) io.err(`${STILL_WRAPPED}\n`);
    return exitCodeOf(faultsOf(references));
  },
};

function report(references: readonly CheckedReference[], showFields: boolean, io: CommandIo): void {
  const heading = ['POINTER', 'LOCATION', 'PATH', 'VERSION', 'FIELD', ...(showFields ? ['FIELDS'] : [])];
  const rows = references.map((entry) => [
    entry.pointer,
    `${entry.file}:${entry.line}`,
    entry.path,
    entry.version === null ? '-' : String(entry.version),
    `${entry.field === null ? '' : `${entry.field}: `}${stateText(entry)}`,
    ...(showFields ? [entry.names.join(', ')] : []),
  ]);
  io.out(formatTable([heading, ...rows]));
  const faults = faultsOf(references);
  if (faults.length > 0) io.out('\n');
  for (const fault of faults) io.out(`${formatFault(fault)}\n`);
  for (const { path: file } of references.filter(({ isWorldReadable }) => isWorldReadable))
    io.err(`warning: ${file} is readable by every user\n    ${WORLD_READABLE_FIX}\n`);
}

const UNCHECKED_VALUES =
  'Values that are not checked may be empty or no base64 text: Vault was asked for names only. "gatehouse check --probe" reads the values.';

/** Returns true for a field that exists, and whose value was not read. */
function isUncheckedValue({ asked, hasValues, fault }: CheckedReference): boolean {
  return asked && !hasValues && !fault;
}

function isStillWrapped({ fault }: CheckedReference): boolean {
  return fault?.code === 'VAULT_STILL_WRAPPED';
}

function faultsOf(references: readonly CheckedReference[]): readonly Fault[] {
  return references.flatMap((entry) => (entry.fault && !isStillWrapped(entry) ? entry.fault : []));
}

const MISSING_CODES: ReadonlySet<string> = new Set(['VAULT_FIELD_MISSING', 'FILE_FIELD_MISSING']);

function stateOf(entry: CheckedReference): string {
  const { asked, fault } = entry;
  if (isStillWrapped(entry)) return 'not asked';
  if (fault) return MISSING_CODES.has(fault.code) ? 'missing' : fault.code;
  return asked ? 'ok' : 'not asked';
}

/** Returns the state in words, with what was not checked. */
function stateText(entry: CheckedReference): string {
  return isUncheckedValue(entry) ? 'exists, value not checked' : stateOf(entry);
}

function asJson(entry: CheckedReference): object {
  const { file, line, column, pointer, path, version, field, names, fault } = entry;
  return {
    file,
    line,
    column,
    pointer,
    path,
    version,
    field,
    state: stateOf(entry),
    isValueChecked: entry.hasValues,
    ...(names.length > 0 && { fields: names }),
    ...(fault && !isStillWrapped(entry) && { code: fault.code, message: fault.message, fix: fault.fix }),
  };
}

/** Reference of the configuration with its position and the result of its lookup. */
interface CheckedReference extends Omit<ReferenceCheck, 'failure'> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Reason why the reference cannot be resolved. */
  readonly fault?: Fault;
}

/**
 * Looks up every reference of a configuration in its store. Throws the faults of the configuration as a
 * ConfigError.
 */
async function checkSecrets(input: ConfigLoaderOptions): Promise<readonly CheckedReference[]> {
  const { desired, faults } = await (await createConfigLoader(input)).read();
  if (faults.length > 0) throw new ConfigError(faults);
  const sections = [desired.main, ...desired.adapters];
  const located = sections.flatMap((section) =>
    section.references.map((reference) => ({ section, reference })),
  );
  const references = located.map(({ reference }, at) => ({ ...reference, pointer: `/${at}` }));
  const source = openSecrets(asSettings(desired.main.written.value), {
    openHttpClient,
    env: input.env,
    scheduler: systemScheduler,
    log: silentLog,
    keepsCredentials: true,
  });
  try {
    const checked = await source.check(references);
    const results = new Map(checked.map((result) => [result.pointer, result]));
    return located.flatMap(({ section, reference }, at) => {
      const result = results.get(`/${at}`);
      return result ? [checkedReference(section, reference.pointer, result)] : [];
    });
  } finally {
    await source.close();
  }
}

function checkedReference(
  { written }: ConfigSection,
  below: string,
  { failure, ...result }: ReferenceCheck,
): CheckedReference {
  const pointer = written.at + below;
  const place = { file: written.document.file, ...written.document.locate(pointer) };
  const fault = failure && locateFault(written, { ...failure, pointer: below });
  return { ...result, ...place, pointer, ...(fault && { fault }) };
}

export const secrets = commandGroup('secrets', [secretsCheck, secretsMigrate]);
