import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../src/domain/clock.js';
import type { AppRoleSettings, VaultSettings } from '../../src/domain/settings.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets, type Resolution, type SecretSource } from '../../src/secrets/resolve.js';
import { memoryLog, type LogLine } from '../support/memory-log.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { createVaultDouble, type VaultDouble, type VaultDoubleOptions } from '../support/vault-double.js';

/** A Vault, files for credentials, and sources that read from it; `close` ends all of it. */
export interface Bench {
  readonly vault: VaultDouble;
  readonly log: readonly LogLine[];
  /** Milliseconds that were waited for between attempts; none of it is real. */
  readonly waits: readonly number[];
  /** Settings with the root token, with changes. */
  settings(changes?: Partial<VaultSettings>): VaultSettings;
  /** A source on those settings. */
  open(changes?: Partial<VaultSettings>): SecretSource;
  /** An AppRole with these policies, its credentials written to files: for `settings({ auth })`. */
  appRole(policies: readonly string[], namespace?: string): Promise<AppRoleAuth>;
  close(): Promise<void>;
}

export type AppRoleAuth = AppRoleSettings & { readonly secretIdFile: string };

export async function createBench(options: VaultDoubleOptions & { caFile?: string } = {}): Promise<Bench> {
  // A static token is looked up once, which is beside the point of most tests.
  const aside = (path: string): boolean => path === '/v1/auth/token/lookup-self';
  const vault = await createVaultDouble({ aside, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'));
  const clock: Clock = options.clock ?? systemClock;
  const { log, lines } = memoryLog();
  const waits: number[] = [];
  const sources: SecretSource[] = [];
  const deps = {
    openHttpClient,
    env: { ROOT_TOKEN: vault.rootToken },
    clock,
    log,
    random: () => 0.5,
    wait: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const bench: Bench = {
    vault,
    log: lines,
    waits,
    settings: (changes) => ({ ...defaults(vault.address), ...changes }),
    open: (changes) => {
      const source = openSecrets(bench.settings(changes), deps);
      sources.push(source);
      return source;
    },
    appRole: async (policies, namespace = '') => {
      const { roleId, secretId } = vault.createAppRole('edge', { policies, namespace });
      const [roleIdFile, secretIdFile] = [join(folder, 'role_id'), join(folder, 'secret_id')];
      await writeFile(roleIdFile, `${roleId}\n`);
      await writeFile(secretIdFile, `${secretId}\n`);
      return {
        method: 'approle',
        mount: 'approle',
        namespace: null,
        roleIdFile,
        secretIdFile,
        secretIdWrapped: false,
        secretIdWrapPath: null,
        removeSecretIdFile: false,
      };
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
      await vault.close();
      await rm(folder, { recursive: true });
    },
  };
  return bench;
}

function defaults(address: string): VaultSettings {
  return {
    address: [address],
    namespace: null,
    mount: 'secret',
    kvVersion: 2,
    auth: { method: 'token', tokenEnv: 'ROOT_TOKEN' },
    tls: { caFile: null, certFile: null, keyFile: null, serverName: null },
    proxy: null,
    request: { deadlineMs: 5000, attempts: 1, concurrency: 8 },
    boot: { waitSeconds: 60, requireAll: false },
    refresh: { intervalSeconds: 300, jitter: 0.1, maxStaleSeconds: 86_400, onAuthFailure: true },
    allowInsecure: false,
  };
}

/** What the references, by name, come to: the value, or the code of the failure. */
export async function resolveAll(
  source: SecretSource,
  document: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const resolved = await source.resolve(findReferences(document).references);
  return Object.fromEntries([...resolved].map(([pointer, was]) => [pointer.slice(1), short(was)]));
}

/** The whole outcome of one reference. */
export async function resolveOne(source: SecretSource, text: string): Promise<Resolution> {
  const resolved = await source.resolve(findReferences({ it: text }).references);
  const outcome = resolved.get('/it');
  if (!outcome) throw new Error(`${text} is no reference`);
  return outcome;
}

function short(resolution: Resolution): unknown {
  return 'value' in resolution ? resolution.value : resolution.code;
}

/** Requests of the log as `METHOD /path`. */
export function requests(vault: VaultDouble): readonly string[] {
  return vault.log.map(({ method, path }) => `${method} ${path}`);
}
