import type { Command } from './command-server.js';

/**
 * Replaces the program `vault` for the few commands that the guides show (`policy write`, `kv put`, `write`): calls the
 * HTTP API of the server at `VAULT_ADDR` with `VAULT_TOKEN`.
 */
export async function runVaultCommand({ args, env, input }: Command): Promise<void> {
  const mount = args.find((word) => word.startsWith('-mount='))?.slice('-mount='.length) ?? '';
  const [verb = '', ...words] = args.filter((word) => word === '-' || !word.startsWith('-'));
  const [first = '', second = '', ...rest] = words;
  if (verb === 'policy') await write(env, `sys/policies/acl/${second}`, { policy: jsonPolicy(input) });
  else if (verb === 'kv') await write(env, `${mount}/data/${second}`, { data: membersOf(rest, input) });
  else if (verb === 'write') await write(env, first, membersOf(words.slice(1), input));
  else throw new Error(`not a command of this stand-in: ${verb}`);
}

async function write(
  { VAULT_ADDR: address = '', VAULT_TOKEN: token = '' }: Command['env'],
  path: string,
  body: object,
): Promise<void> {
  const headers = { 'x-vault-token': token };
  const response = await fetch(`${address}/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Parses `name=value ...`; `-` means standard input. Vault also reads lists of policies in this form. */
function membersOf(words: readonly string[], input: string): Readonly<Record<string, unknown>> {
  const members = words.map((word) => {
    const [name = '', value = ''] = word.split('=', 2);
    return [name, value === '-' ? input : name.endsWith('policies') ? value.split(',') : value] as const;
  });
  return Object.fromEntries(members);
}

/** Converts a policy in HCL to JSON; supports only the syntax that the guides use. */
function jsonPolicy(hcl: string): string {
  const rules = hcl.matchAll(/path "([^"]+)"\s*\{ capabilities = (\[[^\]]*\]) \}/g);
  const path = Object.fromEntries(
    [...rules].map(([, glob = '', list = '']) => [glob, { capabilities: JSON.parse(list) as unknown }]),
  );
  return JSON.stringify({ path });
}
