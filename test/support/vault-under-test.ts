import { randomBytes } from 'node:crypto';
import type { Need } from './needs.js';
import { openVaultAdmin, type VaultAdmin } from './vault-admin.js';
import { createVaultDouble, type VaultDouble, type VaultDoubleOptions } from './vault-double.js';
import type { Flavour } from './vault-double/state.js';

/** One flavor of the double, or the server that the environment names. */
export type VaultKind = Flavour | 'server';

const REAL = realServer();

/**
 * Servers for the cases whose replies differ between Vault and OpenBao: both doubles, or the server at
 * `VAULT_TEST_ADDR` with the root token in `VAULT_TEST_TOKEN`. Other cases need the first one only.
 */
export const VAULTS: readonly [VaultKind, ...VaultKind[]] = REAL ? ['server'] : ['vault', 'openbao'];

/** A Vault in which the cases create their mounts, policies and roles; `close` removes all of them. */
export interface VaultUnderTest extends VaultAdmin {
  readonly address: string;
  /** May do everything. */
  readonly token: string;
  /** Converts the name of a mount, policy or path in a test to its name on the server. */
  readonly name: (plain: string) => string;
  /** Replaces server names in a text by the names of the test. */
  readonly plain: (text: string) => string;
  /** The double; a case that touches it needs {@link doubleFor}. */
  readonly double: VaultDouble;
}

/** Returns the need for the double, for cases that no real server can run; `reason` names what only the double has. */
export function doubleFor(reason: string): Need {
  return { name: `the double: ${reason}`, isMet: () => !REAL };
}

export async function openVaultUnderTest({
  kind = VAULTS[0],
  ...options
}: Omit<VaultDoubleOptions, 'flavour'> & {
  readonly kind?: VaultKind | undefined;
} = {}): Promise<VaultUnderTest> {
  return kind === 'server' ? openServer() : openDouble({ ...options, flavour: kind });
}

async function openDouble(options: VaultDoubleOptions): Promise<VaultUnderTest> {
  const double = await createVaultDouble(options);
  const { address, rootToken: token } = double;
  return {
    ...openVaultAdmin({ address: await double.openSecondListener(), token, prefix: '' }),
    address,
    token,
    name: (plain) => plain,
    plain: (text) => text,
    double,
    close: () => double.close(),
  };
}

async function openServer(): Promise<VaultUnderTest> {
  if (!REAL) throw new Error('VAULT_TEST_ADDR and VAULT_TEST_TOKEN name no server');
  const prefix = `gatehouse-test-${randomBytes(6).toString('hex')}-`;
  const admin = openVaultAdmin({ ...REAL, prefix });
  try {
    await admin.mountKv('secret', 2);
    await admin.mountKv('kv', 1);
    await admin.enableAppRole('approle');
  } catch (error) {
    await admin.close();
    throw error;
  }
  return {
    ...admin,
    ...REAL,
    name: (plain) => `${prefix}${plain}`,
    plain: (text) => text.replaceAll(prefix, ''),
    get double(): VaultDouble {
      throw new Error('this case touches the double: it needs doubleFor');
    },
  };
}

function realServer(): { readonly address: string; readonly token: string } | undefined {
  const { VAULT_TEST_ADDR: address, VAULT_TEST_TOKEN: token } = process.env;
  if (address === undefined || address === '') return undefined;
  if (token === undefined || token === '')
    throw new Error('VAULT_TEST_ADDR is set: set VAULT_TEST_TOKEN too');
  return { address: address.replace(/\/$/, ''), token };
}
