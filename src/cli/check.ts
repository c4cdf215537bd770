import type { Fault } from '../core/fault.js';
import { isDenial, mayPass } from '../secrets/secret-error.js';
import { STILL_WRAPPED } from '../secrets/vault/unwrap-token.js';
import { checkConfig } from './check-config.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './command.js';
import { formatGrouped } from './grouped-faults.js';

/** Default CPU time for code of a plugin that does not return. */
const PLUGIN_TIMEOUT_SECONDS = 10;

/** Reports every fault of a configuration without opening a port. */
export const check: Command = {
  name: 'check',
  help: `Usage: gatehouse check [--config PATH] [--json] [--probe] [--production]
                       [--plugin-timeout SECONDS]

Runs the same validation as a start, but opens no port, file or database. Prints every error
with file:line:column, JSON pointer, message and advice.

Options:
${CONFIG_OPTION_HELP}
  --json          print the errors as a JSON array
  --probe         also read every secret from Vault; values are never printed, and a wrapping token is
                  not used up. Also check every token issuer: its address, its name, its keys for the
                  algorithms, and the client of the sign-in with its redirect URI and its secret.
                  Issuers may record the last check as a failed sign-in
  --production    also compare the settings with those of a server in production: what loses or
                  discloses credentials, records or calls is an error, the rest a warning
  --plugin-timeout SECONDS
                  CPU time after which a plugin that does not return ends the check (default: ${PLUGIN_TIMEOUT_SECONDS})

Exit codes: 0 no error, 78 errors, 75 Vault or an issuer cannot be reached, 77 Vault denied access,
${EXIT.stuck} a plugin does not return.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      json: { type: 'boolean', default: false },
      probe: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
      'plugin-timeout': { type: 'string', default: String(PLUGIN_TIMEOUT_SECONDS) },
    });
    const seconds = options['plugin-timeout'];
    if (!/^[1-9]\d{0,3}$/.test(seconds)) throw new UsageError('--plugin-timeout takes 1 to 9999 seconds');
    // The event loop has no time limit for a plugin that does not return.
    io.startWatchdog(Number(seconds), { kind: 'message', prefix: 'gatehouse check: ' });
    const path = configPath(options.config, io.env);
    const { probe, production } = options;
    const checked = await checkConfig({ configPath: path, env: io.env, probe, production });
    const { faults, adapters } = checked;
    for (const { pointer, role, suggestion } of checked.unusedRoles)
      io.err(
        `warning: ${path} ${pointer}: the role "${role}" opens nothing: no operation, adapter or setting names it${suggestion}\n`,
      );
    if (checked.isStillWrapped) io.err(`${STILL_WRAPPED}\n`);
    for (const warning of formatGrouped(checked.warnings)) io.err(`warning: ${warning}\n`);
    if (options.json) io.out(`${JSON.stringify(faults, null, 2)}\n`);
    else
      report(faults, `${path}: no fault found (${adapters} ${adapters === 1 ? 'adapter' : 'adapters'})`, io);
    return exitCodeOf(faults);
  },
};

function report(faults: readonly Fault[], success: string, io: CommandIo): void {
  if (faults.length === 0) io.out(`${success}\n`);
  for (const fault of formatGrouped(faults)) io.out(`${fault}\n`);
  if (faults.length > 0) io.err(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}\n`);
}

/**
 * Returns the exit code for the faults. A fault of the configuration takes precedence over a failure of Vault or an issuer.
 */
export function exitCodeOf(faults: readonly Fault[]): number {
  if (faults.length === 0) return EXIT.ok;
  if (faults.every(({ code }) => mayPass(code) || isDenial(code) || code === 'issuer_unreachable')) {
    return faults.some(({ code }) => isDenial(code)) ? EXIT.denied : EXIT.unavailable;
  }
  return EXIT.config;
}
