import { type CheckedReference, checkSecrets } from './lib/check-secrets.js';
import { formatFault } from '../core/fault.js';
import { exitCodeOf } from './check.js';
import type { Command, CommandIo } from './command.js';
import { CONFIG_OPTION_HELP, configPath, parseOptions } from './options.js';
import { formatTable } from './table.js';

/** Asks Vault whether every reference of a configuration can be resolved, without reading values. */
export const secretsCheck: Command = {
  name: 'secrets check',
  summary: 'ask Vault whether every reference can be resolved, without reading values',
  help: `Usage: gatehouse secrets check [--config PATH] [--json] [--show-fields]

Logs in to Vault as the server does and lists every reference of the configuration with the
path and version that it leads to, and whether its field is there. Of KV version 2 the field
names alone are asked for (the role needs "read" on MOUNT/subkeys/PATH); KV version 1 is read
and its values are dropped. No value is printed.

Options:
${CONFIG_OPTION_HELP}
  --json           print the list as a JSON array
  --show-fields    also print the names of the fields that are there

Exit codes: 0 every reference can be resolved, 78 one cannot, or the configuration has faults,
75 Vault cannot be reached, 77 Vault denied access.`,
  async run(args, io) {
    const options = parseOptions(args, {
      config: { type: 'string' },
      json: { type: 'boolean', default: false },
      'show-fields': { type: 'boolean', default: false },
    });
    const path = configPath(options.config, io.env);
    const references = await checkSecrets({ configPath: path, env: io.env });
    const shown = references.map((one) => (options['show-fields'] ? one : { ...one, names: [] }));
    if (options.json) io.out(`${JSON.stringify(shown.map(asJson), null, 2)}\n`);
    else if (shown.length === 0) io.out(`${path}: no reference to Vault\n`);
    else report(shown, options['show-fields'], io);
    return exitCodeOf(references.flatMap(({ fault }) => fault ?? []));
  },
};

function report(references: readonly CheckedReference[], showFields: boolean, io: CommandIo): void {
  const heading = ['POINTER', 'PLACE', 'PATH', 'VERSION', 'FIELD', ...(showFields ? ['FIELDS'] : [])];
  const rows = references.map((one) => [
    one.pointer,
    `${one.file}:${one.line}`,
    one.path,
    one.version === null ? '-' : String(one.version),
    `${one.field === null ? '' : `${one.field}: `}${stateOf(one)}`,
    ...(showFields ? [one.names.join(', ')] : []),
  ]);
  io.out(formatTable([heading, ...rows]));
  const faults = references.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) io.out('\n');
  for (const fault of faults) io.out(`${formatFault(fault)}\n`);
}

function stateOf({ asked, fault }: CheckedReference): string {
  if (fault) return fault.code === 'VAULT_FIELD_MISSING' ? 'missing' : fault.code;
  return asked ? 'ok' : 'not asked';
}

function asJson(one: CheckedReference): object {
  const { file, line, column, pointer, path, version, field, names, fault } = one;
  return {
    file,
    line,
    column,
    pointer,
    path,
    version,
    field,
    state: stateOf(one),
    ...(names.length > 0 && { fields: names }),
    ...(fault && { code: fault.code, message: fault.message, fix: fault.fix }),
  };
}
