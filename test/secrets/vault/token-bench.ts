import { join } from 'node:path';
import { openClient, type OpenClient } from '../../../src/secrets/vault/open-client.js';
import type { VaultAuthSettings, VaultSettings } from '../../../src/settings/vault.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { writeInput } from '../../support/input-file.js';
import { memoryLog, type LogLine } from '../../support/memory-log.js';
import { recordTraffic, type SentRequest } from '../../support/recorded-traffic.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { createVaultDouble, type VaultDouble, type VaultDoubleOptions } from '../../support/vault-double.js';
import type { TokenTerms } from '../../support/vault-double/state.js';
import { appRoleAuth, vaultSettings, type AppRoleAuth } from '../fixtures.js';

/** A Vault and its clients, with a clock that only the test advances; `close` closes them all. */
export interface TokenBench {
  readonly vault: VaultDouble;
  /** Requests of the clients so far, with the names of the test. */
  readonly sent: SentRequest[];
  readonly time: FakeScheduler;
  readonly lines: readonly LogLine[];
  /** Environment variables of the clients. */
  readonly env: Record<string, string>;
  open(auth: VaultAuthSettings, changes?: Partial<VaultSettings>): Promise<OpenClient>;
  /** Writes a file and returns its path. */
  write(name: string, content: string): Promise<string>;
  /** Returns the paths of the requests so far, below `/v1/`. */
  paths(): readonly string[];
  /** Advances the clock past the next timer, and waits for the request to Vault and the timer after it. */
  step(): Promise<string>;
  close(): Promise<void>;
}

export async function createTokenBench(options: VaultDoubleOptions = {}): Promise<TokenBench> {
  const time = createFakeScheduler();
  const vault = await createVaultDouble({ clock: time, ...options });
  const { openHttpClient, sent } = recordTraffic();
  const folder = temporaryFolder();
  const { log, lines } = memoryLog();
  const opened: OpenClient[] = [];
  const env = { STATIC: vault.rootToken };
  const paths = (): readonly string[] => sent.map(({ path }) => path.replace('/v1/', ''));
  return {
    vault,
    sent,
    time,
    lines,
    paths,
    env,
    open: async (auth, changes = {}) => {
      const wait = (): Promise<void> => Promise.resolve();
      const deps = { openHttpClient, env, scheduler: time, log, wait, random: () => 0.5 };
      const client = await openClient({ ...vaultSettings(vault), auth, ...changes }, deps);
      opened.push(client);
      return client;
    },
    write: (name, content) => {
      const file = join(folder.path, name);
      writeInput(file, content);
      return Promise.resolve(file);
    },
    step: async () => {
      const before = sent.length;
      await time.pass(time.next() ?? 0);
      await until(() => sent.length > before && time.next() !== undefined);
      return paths().at(-1) ?? '';
    },
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
      await vault.close();
      folder.remove();
    },
  };
}

/** Creates a role `edge` and returns its AppRole settings. */
export async function edgeRole(bench: TokenBench, terms: Partial<TokenTerms> = {}): Promise<AppRoleAuth> {
  const { roleId, secretId } = bench.vault.createAppRole('edge', { policies: ['edge'], ...terms });
  return appRoleAuth({
    roleIdFile: await bench.write('role_id', roleId),
    secretIdFile: await bench.write('secret_id', secretId),
  });
}
