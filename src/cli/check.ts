import { checkConfig } from './lib/check.js';
import { type Fault, formatFault } from '../core/fault.js';
import { isDenial, mayPass } from '../vault/vault-error.js';
import { type Command, type CommandIo, EXIT } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';

/** Reports every fault of a configuration without opening a port. */
export const check: Command = {
  name: 'check',
  summary: 'report every fault of a configuration, without opening a port',
  help: `Usage: gatehouse check [--config PATH] [--json] [--probe]

Runs the code of a start up to the point where something would be opened, and prints every
fault with file:line:column, JSON pointer, what is wrong and what to do.

Options:
${CONFIG_OPTION_HELP}
  --json          print the faults as a JSON array
  --probe         also read every secret from Vault (values are never shown)

Exit codes: 0 no fault, 78 faults, 75 Vault cannot be reached, 77 Vault denied access.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      json: { type: 'boolean', default: false },
      probe: { type: 'boolean', default: false },
    });
    const path = configPath(options.config, io.env);
    const { faults, adapters } = await checkConfig({ configPath: path, env: io.env, probe: options.probe });
    if (options.json) io.out(`${JSON.stringify(faults, null, 2)}\n`);
    else
      report(faults, `${path}: no fault found (${adapters} ${adapters === 1 ? 'adapter' : 'adapters'})`, io);
    return exitCodeOf(faults);
  },
};

function report(faults: readonly Fault[], fine: string, io: CommandIo): void {
  if (faults.length === 0) io.out(`${fine}\n`);
  for (const fault of faults) io.out(`${formatFault(fault)}\n`);
  if (faults.length > 0) io.err(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}\n`);
}

/**
 * Returns the exit code for the faults. A fault of the configuration takes precedence over a Vault failure.
 */
export function exitCodeOf(faults: readonly Fault[]): number {
  if (faults.length === 0) return EXIT.ok;
  if (faults.every(({ code }) => mayPass(code) || isDenial(code))) {
    return faults.some(({ code }) => isDenial(code)) ? EXIT.denied : EXIT.unavailable;
  }
  return EXIT.config;
}
