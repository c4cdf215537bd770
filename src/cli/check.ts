import { join } from 'node:path';
import { readHelmValues } from '../config/helm-values.js';
import { type Fault, formatFault } from '../core/fault.js';
import { PRODUCT_FOLDER } from '../lib/version.js';
import { isDenial, mayPass } from '../secrets/secret-error.js';
import { STILL_WRAPPED } from '../secrets/vault/unwrap-token.js';
import { checkConfig, type CheckInput, type Checked } from './check-config.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  formatTable,
  parseOptions,
  UsageError,
} from './lib/command.js';
/** Default CPU time for code of a plugin that does not return. */
const PLUGIN_TIMEOUT_SECONDS = 10;

/** Reports every fault of a configuration without opening a port. */
export const check: Command = {
  name: 'check',
  help: `Usage: gatehouse check [--config PATH | --helm-values FILE...] [--json]
                       [--probe [--adapters]] [--production] [--plugin-timeout SECONDS]

Runs the same validation as a start, but opens no port, file or database. Prints every error
with file:line:column, JSON pointer, message and advice.

Options:
${CONFIG_OPTION_HELP}
  --helm-values FILE
                  check the configuration that the Helm chart makes of these values, with their lines;
                  give the option once for each file, in the order of "helm --values"
  --json          print the errors as a JSON array
  --probe         also read every secret from Vault; values are never printed, and a wrapping token is
                  not used up. Also check every token issuer: its address, its name, its keys for the
                  algorithms, and the client of the sign-in with its redirect URI and its secret.
                  Issuers may record the last check as a failed sign-in
  --adapters      with --probe, also try the orchestrator of each adapter: name, connection, certificate,
                  login and a first read. A refused login may count towards a lock of the account
  --production    also compare the settings with those of a server in production: what loses or
                  discloses credentials, records or calls is an error, the rest a warning
  --plugin-timeout SECONDS
                  CPU time after which a plugin that does not return ends the check (default: ${PLUGIN_TIMEOUT_SECONDS})

Exit codes: 0 no error, 78 errors, 75 Vault, an issuer or an orchestrator cannot be reached, 77 Vault
denied access or an orchestrator refused a login, ${EXIT.stuck} a plugin does not return.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      'helm-values': { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      probe: { type: 'boolean', default: false },
      adapters: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
      'plugin-timeout': { type: 'string', default: String(PLUGIN_TIMEOUT_SECONDS) },
    });
    const seconds = options['plugin-timeout'];
    if (!/^[1-9]\d{0,3}$/.test(seconds)) throw new UsageError('--plugin-timeout takes 1 to 9999 seconds');
    // The event loop has no time limit for a plugin that does not return.
    io.startWatchdog(Number(seconds), { kind: 'message', prefix: 'gatehouse check: ' });
    const { probe, production, adapters: triesAdapters, 'helm-values': valuesFiles } = options;
    const isOfHelm = valuesFiles.length > 0;
    if (triesAdapters && !probe) throw new UsageError('--adapters belongs to --probe; give both');
    if (options.config !== undefined && isOfHelm)
      throw new UsageError('give either --config or --helm-values');
    const terms = { env: io.env, probe, production, triesAdapters };
    const path = valuesFiles.at(-1) ?? configPath(options.config, io.env);
    const checked = isOfHelm
      ? await checkHelmValues(valuesFiles, terms)
      : await checkConfig({ configPath: path, ...terms });
    const { faults, adapters, probed = [] } = checked;
    printWarnings(checked, io);
    if (options.json) io.out(`${JSON.stringify(faults, null, 2)}\n`);
    else {
      const columns = probed.map((one) => [one.adapter, one.baseUrl, one.verdict, one.message]);
      if (columns.length > 0) io.out(`${formatTable(columns)}\n`);
      report(faults, `${path}: no fault found (${adapters} ${adapters === 1 ? 'adapter' : 'adapters'})`, io);
    }
    return exitCodeOf(faults);
  },
};

function printWarnings({ isStillWrapped, warnings }: Checked, io: CommandIo): void {
  if (isStillWrapped) io.err(`${STILL_WRAPPED}\n`);
  for (const warning of formatGrouped(warnings)) io.err(`warning: ${warning}\n`);
}

/** Values of the Helm chart that belongs to this version. */
const CHART_VALUES = join(PRODUCT_FOLDER, 'deploy/helm/gatehouse/values.yaml');

/** Checks the configuration that the Helm chart makes of values. The faults have their places in the values. */
async function checkHelmValues(
  files: readonly string[],
  { env, ...input }: Pick<CheckInput, 'env' | 'probe' | 'production' | 'triesAdapters'>,
): Promise<Checked> {
  const helm = readHelmValues(CHART_VALUES, files);
  if (helm.faults.length > 0)
    return { faults: helm.faults, warnings: [], adapters: 0, isStillWrapped: false };
  const { path: configPath, mainText } = helm;
  const checked = await checkConfig({ configPath, mainText, env: { ...env, ...helm.env }, ...input });
  const inPod = checked.faults
    .filter((fault) => helm.isOfPod(fault))
    .map((fault) => ({ ...fault, ...IN_POD }));
  return {
    ...checked,
    faults: checked.faults.filter((fault) => !helm.isOfPod(fault)).map((fault) => helm.locate(fault)),
    warnings: [...checked.warnings, ...inPod].map((fault) => helm.locate(fault)),
  };
}

const IN_POD = {
  message: 'is in a volume of the pod, and was not read',
  fix: 'The job of the chart reads it before each rollout.',
};

function report(faults: readonly Fault[], success: string, io: CommandIo): void {
  if (faults.length === 0) io.out(`${success}\n`);
  for (const fault of formatGrouped(faults)) io.out(`${fault}\n`);
  if (faults.length > 0) io.err(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}\n`);
}

const OUTAGES: ReadonlySet<string> = new Set(['issuer_unreachable', 'adapter_unreachable']);

/**
 * Returns the exit code for the faults. A fault of the configuration takes precedence over a failure of Vault, an issuer or an
 * orchestrator.
 */
export function exitCodeOf(faults: readonly Fault[]): number {
  if (faults.length === 0) return EXIT.ok;
  const isRefusal = ({ code }: Fault): boolean => isDenial(code) || code === 'adapter_denied';
  const isOutage = ({ code }: Fault): boolean => mayPass(code) || OUTAGES.has(code);
  if (faults.every((fault) => isOutage(fault) || isRefusal(fault)))
    return faults.some(isRefusal) ? EXIT.denied : EXIT.unavailable;
  return EXIT.config;
}

/** Codes of faults whose message names their cause completely, so that one mend removes all faults with the same message. */
const ONE_CAUSE: ReadonlySet<string> = new Set(['certificate', 'production']);

/** Maximum number of other places that a group names. */
const MAX_NAMED_PLACES = 3;

/**
 * Formats faults for people, in their order. Faults of one cause are one text with the places that share it, for example the
 * adapters that use one CA file.
 */
export function formatGrouped(faults: readonly Fault[]): readonly string[] {
  const groups = new Map<unknown, Fault[]>();
  for (const fault of faults) {
    const key = ONE_CAUSE.has(fault.code) ? `${fault.message}\n${fault.fix}` : fault;
    const group = groups.get(key);
    if (group) group.push(fault);
    else groups.set(key, [fault]);
  }
  return [...groups.values()].map(formatGroup);
}

function formatGroup([first, ...others]: readonly Fault[]): string {
  if (!first) return '';
  if (others.length === 0) return formatFault(first);
  const named = others
    .slice(0, MAX_NAMED_PLACES)
    .map(({ file, line }) => (line > 0 ? `${file}:${line}` : file));
  const unnamed = others.length - named.length;
  const places = `${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
  return `${formatFault(first)}\n    The same in ${others.length} other ${others.length === 1 ? 'place' : 'places'}: ${places}`;
}
