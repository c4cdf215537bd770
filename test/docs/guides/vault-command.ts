import { readFile } from 'node:fs/promises';
import type { Command } from './command-server.js';

interface CommandLine extends Pick<Command, 'env' | 'input'> {
  /** Arguments after the verb. */
  readonly words: readonly string[];
  /** Written `-name=value` or `-name`. */
  readonly options: ReadonlyMap<string, string>;
}

/** The few commands of the program `vault` that the guides show. Each returns the data of the reply. */
const VERBS: Readonly<Record<string, (line: CommandLine) => Promise<Data>>> = {
  async policy(line) {
    const [, name = '', source = ''] = line.words;
    return call(line, ['PUT', `sys/policies/acl/${name}`], {
      policy: jsonPolicy(await valueOf(line, source)),
    });
  },
  async secrets(line) {
    const [, type = ''] = line.words;
    const version = { version: line.options.get('version') ?? '1' };
    return call(line, ['POST', `sys/mounts/${line.options.get('path') ?? type}`], { type, options: version });
  },
  async auth(line) {
    const [, type = ''] = line.words;
    return call(line, ['POST', `sys/auth/${type}`], { type });
  },
  async kv(line) {
    const [, path = '', ...members] = line.words;
    await call(line, ['POST', `${line.options.get('mount') ?? ''}/data/${path}`], {
      data: await membersOf(line, members),
    });
    return {};
  },
  async write(line) {
    const [path = '', ...members] = line.words;
    return call(line, ['POST', path], await membersOf(line, members));
  },
  async read(line) {
    return call(line, ['GET', line.words[0] ?? '']);
  },
};

type Data = Readonly<Record<string, unknown>>;

/** Method and path of a request. */
type Target = readonly [method: string, path: string];

/** Replaces the `vault` program: calls the HTTP API of the server at `VAULT_ADDR` with `VAULT_TOKEN`. Returns the output. */
export async function runVaultCommand({ args, env, input }: Command): Promise<string> {
  const options = new Map<string, string>();
  const [verb = '', ...words] = args.filter((word) => {
    const [, name, value = ''] = /^-(\w+)(?:=(.*))?$/.exec(word) ?? [];
    if (name !== undefined) options.set(name, value);
    return name === undefined;
  });
  const act = VERBS[verb];
  if (!act) throw new Error(`not a command of this stand-in: ${verb}`);
  const data = await act({ words, options, env, input });
  const field = options.get('field');
  return field === undefined ? '' : String(data[field]);
}

async function call({ env }: CommandLine, target: Target, body?: object): Promise<Data> {
  const [method, path] = target;
  const { VAULT_ADDR: address = '', VAULT_TOKEN: token = '' } = env;
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: { 'x-vault-token': token },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply}`);
  return reply === '' ? {} : ((JSON.parse(reply) as { data?: Data }).data ?? {});
}

/** Parses `name=value ...`; `-` means standard input. */
async function membersOf(line: CommandLine, words: readonly string[]): Promise<Data> {
  const members: Record<string, unknown> = {};
  for (const word of words) {
    const [name = '', value = ''] = word.split('=', 2);
    members[name] = typed(name, await valueOf(line, value));
  }
  return members;
}

async function valueOf({ input }: CommandLine, word: string): Promise<string> {
  if (word.startsWith('@')) return readFile(word.slice(1), 'utf8');
  return word === '-' ? input : word;
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
