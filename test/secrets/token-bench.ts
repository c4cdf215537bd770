import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VaultAuthSettings, VaultSettings } from '../../src/domain/settings.js';
import { openClient, type OpenClient } from '../../src/secrets/open-client.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog, type LogLine } from '../support/memory-log.js';
import { until } from '../support/until.js';
import { createVaultDouble, type VaultDouble, type VaultDoubleOptions } from '../support/vault-double.js';

/** A Vault and clients for it, on a time that stands still until a test moves it; `close` ends all of it. */
export interface TokenBench {
  readonly vault: VaultDouble;
  readonly time: FakeScheduler;
  readonly lines: readonly LogLine[];
  open(auth: VaultAuthSettings, changes?: Partial<VaultSettings>): Promise<OpenClient>;
  /** Writes a file; gives its path. */
  write(name: string, content: string): Promise<string>;
  /** Paths of the requests so far, below `/v1/`. */
  paths(): readonly string[];
  /** Lets time pass until the next timer and past it, and waits until Vault was asked and the next timer is set. */
  step(): Promise<string>;
  close(): Promise<void>;
}

export async function createTokenBench(options: VaultDoubleOptions = {}): Promise<TokenBench> {
  const time = createFakeScheduler();
  const vault = await createVaultDouble({ clock: time, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-token-'));
  const { log, lines } = memoryLog();
  const opened: OpenClient[] = [];
  const paths = (): readonly string[] => vault.log.map(({ path }) => path.replace('/v1/', ''));
  return {
    vault,
    time,
    lines,
    paths,
    open: async (auth, changes = {}) => {
      const env = { STATIC: vault.rootToken };
      const wait = (): Promise<void> => Promise.resolve();
      const deps = { openHttpClient, env, scheduler: time, log, wait, random: () => 0.5 };
      const client = await openClient({ ...settingsFor(vault.address, auth), ...changes }, deps);
      opened.push(client);
      return client;
    },
    write: async (name, content) => {
      const file = join(folder, name);
      await writeFile(file, content);
      return file;
    },
    step: async () => {
      const before = vault.log.length;
      await time.pass(time.next() ?? 0);
      await until(() => vault.log.length > before && time.next() !== undefined);
      return paths().at(-1) ?? '';
    },
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
      await vault.close();
      await rm(folder, { recursive: true });
    },
  };
}

function settingsFor(address: string, auth: VaultAuthSettings): VaultSettings {
  return {
    address: [address],
    namespace: null,
    mount: 'secret',
    kvVersion: 2,
    auth,
    tls: { caFile: null, certFile: null, keyFile: null, serverName: null },
    proxy: null,
    request: { deadlineMs: 5000, attempts: 1, concurrency: 8 },
    boot: { waitSeconds: 60, requireAll: false },
    refresh: { intervalSeconds: 300, jitter: 0.1, maxStaleSeconds: 86_400, onAuthFailure: true },
    allowInsecure: false,
  };
}

/** AppRole settings for a new role `edge` of the double. */
export async function edgeRole(
  bench: TokenBench,
  terms: Partial<Parameters<VaultDouble['createAppRole']>[1]> = {},
): Promise<Extract<VaultAuthSettings, { method: 'approle' }> & { secretIdFile: string }> {
  const { roleId, secretId } = bench.vault.createAppRole('edge', { policies: ['edge'], ...terms });
  return {
    method: 'approle',
    mount: 'approle',
    namespace: null,
    roleIdFile: await bench.write('role_id', roleId),
    secretIdFile: await bench.write('secret_id', secretId),
    secretIdWrapped: false,
    secretIdWrapPath: null,
    removeSecretIdFile: false,
  };
}
