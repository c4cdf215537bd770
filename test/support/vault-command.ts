import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

interface CommandLine {
  /** Arguments after the verb. */
  readonly words: readonly string[];
  /** Written `-name=value` or `-name`. */
  readonly options: ReadonlyMap<string, string>;
}

/** The few commands of the program `vault` that the guides show. */
const VERBS: Readonly<Record<string, (line: CommandLine) => Promise<unknown>>> = {
  async policy({ words: [, name = '', source = ''] }) {
    await call('PUT', `sys/policies/acl/${name}`, { policy: jsonPolicy(await valueOf(source)) });
  },
  async secrets({ words: [, type = ''], options }) {
    const version = { version: options.get('version') ?? '1' };
    await call('POST', `sys/mounts/${options.get('path') ?? type}`, { type, options: version });
  },
  async auth({ words: [, type = ''] }) {
    await call('POST', `sys/auth/${type}`, { type });
  },
  async kv({ words: [, path = '', ...members], options }) {
    await call('POST', `${options.get('mount') ?? ''}/data/${path}`, { data: await membersOf(members) });
  },
  async write({ words: [path = '', ...members], options }) {
    print(await call('POST', path, await membersOf(members)), options);
  },
  async read({ words: [path = ''], options }) {
    print(await call('GET', path), options);
  },
};

/** Replaces the `vault` program: calls the HTTP API of the server at `VAULT_ADDR` with `VAULT_TOKEN`. */
async function main(args: readonly string[]): Promise<void> {
  const options = new Map<string, string>();
  const [verb = '', ...words] = args.filter((word) => {
    const [, name, value = ''] = /^-(\w+)(?:=(.*))?$/.exec(word) ?? [];
    if (name !== undefined) options.set(name, value);
    return name === undefined;
  });
  const act = VERBS[verb];
  if (!act) throw new Error(`not a command of this stand-in: ${verb}`);
  await act({ words, options });
}

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { VAULT_ADDR: address = '', VAULT_TOKEN: token = '' } = process.env;
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: { 'x-vault-token': token },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply}`);
  return reply === '' ? {} : ((JSON.parse(reply) as { data?: Record<string, unknown> }).data ?? {});
}

function print(data: Readonly<Record<string, unknown>>, options: CommandLine['options']): void {
  const field = options.get('field');
  if (field !== undefined) process.stdout.write(String(data[field]));
}

/** Parses `name=value ...`; `-` means standard input. */
async function membersOf(words: readonly string[]): Promise<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const word of words) {
    const [name = '', value = ''] = word.split('=', 2);
    members[name] = typed(name, await valueOf(value));
  }
  return members;
}

async function valueOf(word: string): Promise<string> {
  if (word.startsWith('@')) return readFile(word.slice(1), 'utf8');
  return word === '-' ? text(process.stdin) : word;
}

/** Vault also reads lists and times in these forms; the double accepts them only as JSON. */
function typed(name: string, value: string): unknown {
  if (name.endsWith('policies')) return value.split(',');
  const [, count, unit] = /^(\d+)([smh])$/.exec(value) ?? [];
  return unit === undefined ? value : Number(count) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'];
}

/** Converts a policy in HCL to JSON; supports only the syntax that the guides use. */
function jsonPolicy(hcl: string): string {
  const rules = hcl.matchAll(/path "([^"]+)"\s*\{ capabilities = (\[[^\]]*\]) \}/g);
  const path = Object.fromEntries(
    [...rules].map(([, glob = '', list = '']) => [glob, { capabilities: JSON.parse(list) as unknown }]),
  );
  return JSON.stringify({ path });
}

await main(process.argv.slice(2));
