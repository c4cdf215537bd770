import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Scheduler, systemScheduler } from '../../src/lib/clock.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { openSecrets, type Resolution, type SecretSource } from '../../src/secrets/open-secrets.js';
import type { SecretFileSettings } from '../../src/settings/secret-files.js';
import type { AppRoleSettings, VaultSettings } from '../../src/settings/vault.js';
import { writeInput } from '../support/input-file.js';
import { memoryLog, type LogLine } from '../support/memory-log.js';
import { recordTraffic, type SentRequest } from '../support/recorded-traffic.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVaultDouble, type VaultDouble, type VaultDoubleOptions } from '../support/vault-double.js';

/** A Vault, credential files, and secret sources that read from it; `close` closes them all. */
export interface Bench {
  readonly vault: VaultDouble;
  /** Requests of the sources so far, with the names of the test, without lookups of a static token. */
  readonly sent: SentRequest[];
  /** Returns the maximum number of concurrent requests. */
  maxConcurrent(): number;
  /** Returns the number of requests without a reply. */
  underWay(): number;
  readonly log: readonly LogLine[];
  /** Simulated delays between attempts in milliseconds. */
  readonly waits: readonly number[];
  /** Returns settings with the root token and the given changes. */
  settings(changes?: Partial<VaultSettings>): VaultSettings;
  /** Opens a secret source with these settings, and with secrets in files if there are settings of them. */
  open(changes?: Partial<VaultSettings>, files?: SecretFileSettings | null): SecretSource;
  /** Creates an AppRole `edge` with these policies and writes its credentials to files, for `settings({ auth })`. */
  appRole(policies: readonly string[]): Promise<AppRoleAuth>;
  /** Writes a file and returns its path. */
  write(name: string, content: string): Promise<string>;
  close(): Promise<void>;
}

export type AppRoleAuth = AppRoleSettings & { readonly secretIdFile: string };

// Most tests ignore the single lookup of a static token.
const TOKEN_LOOKUP = '/v1/auth/token/lookup-self';

/** Starts a bench; the scheduler of its sources is by default that of the system, with the clock of Vault. */
export async function createBench(
  options: VaultDoubleOptions & { readonly scheduler?: Scheduler } = {},
): Promise<Bench> {
  const aside = (path: string): boolean => path === TOKEN_LOOKUP;
  const vault = await createVaultDouble({ aside, ...options });
  const folder = temporaryFolder();
  const { clock = systemScheduler } = options;
  const { scheduler = { ...systemScheduler, now: () => clock.now() } } = options;
  const { log, lines } = memoryLog();
  const waits: number[] = [];
  const sources: SecretSource[] = [];
  const traffic = recordTraffic(aside);
  const deps = {
    openHttpClient: traffic.openHttpClient,
    env: { ROOT_TOKEN: vault.rootToken },
    scheduler,
    log,
    random: () => 0.5,
    wait: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const bench: Bench = {
    vault,
    sent: traffic.sent,
    maxConcurrent: traffic.most,
    underWay: traffic.underWay,
    log: lines,
    waits,
    settings: (changes) => ({ ...vaultSettings(vault), ...changes }),
    open: (changes, files = null) => {
      const source = openSecrets({ vault: bench.settings(changes), secrets: { files } }, deps);
      sources.push(source);
      return source;
    },
    appRole: async (policies) => {
      const { roleId, secretId } = vault.createAppRole('edge', { policies });
      return appRoleAuth({
        roleIdFile: await bench.write('role_id', `${roleId}\n`),
        secretIdFile: await bench.write('secret_id', `${secretId}\n`),
      });
    },
    write: (name, content) => {
      writeInput(join(folder.path, name), content);
      return Promise.resolve(join(folder.path, name));
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
      await vault.close();
      folder.remove();
    },
  };
  return bench;
}

/** Returns AppRole settings with credentials in these files. */
export function appRoleAuth(files: Pick<AppRoleAuth, 'roleIdFile' | 'secretIdFile'>): AppRoleAuth {
  return {
    method: 'approle',
    mount: 'approle',
    namespace: null,
    ...files,
    secretIdWrapped: false,
    secretIdWrapPath: null,
    removeSecretIdFile: false,
  };
}

/** Limits of requests with two repetitions. */
export const THREE_ATTEMPTS: VaultSettings['request'] = { deadlineMs: 5000, attempts: 3, concurrency: 8 };

/** Returns settings with the root token in `ROOT_TOKEN` and one attempt per request. */
export function vaultSettings(vault: Pick<VaultDouble, 'address'>): VaultSettings {
  return {
    address: [vault.address],
    namespace: null,
    mount: 'secret',
    kvVersion: 2,
    auth: { method: 'token', tokenEnv: 'ROOT_TOKEN' },
    tls: { caFile: null, certFile: null, keyFile: null, serverName: null },
    proxy: null,
    request: { ...THREE_ATTEMPTS, attempts: 1 },
    boot: { waitSeconds: 60, requireAll: false },
    refresh: { intervalSeconds: 300, jitter: 0.1, maxStaleSeconds: 86_400, onAuthFailure: true },
    writeLiterals: false,
    literals: 'warn',
    adapterScope: 'adapters/{name}',
    allowInsecure: true,
  };
}

/** Resolves references by name: returns the value, or the code of the failure. */
export async function resolveAll(
  source: SecretSource,
  document: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const resolved = await source.resolve(findReferences(document).references);
  return Object.fromEntries([...resolved].map(([pointer, was]) => [pointer.slice(1), valueOrCode(was)]));
}

/** Resolves one reference: returns the value, or the code of the failure. */
export async function valueOf(source: SecretSource, text: string): Promise<unknown> {
  return (await resolveAll(source, { it: text }))['it'];
}

/** Returns the code of a reference that fails, and what an operator reads, as `message | fix`. */
export async function failureOf(
  source: SecretSource,
  text: string,
): Promise<{ readonly code: string; readonly text: string }> {
  const outcome = (await source.resolve(findReferences({ it: text }).references)).get('/it');
  assert.ok(outcome && 'code' in outcome, `${text} is resolved`);
  return { code: outcome.code, text: `${outcome.message} | ${outcome.fix}` };
}

/** Returns the value of a resolution, or the code of its failure. */
export function valueOrCode(resolution: Resolution): unknown {
  return 'value' in resolution ? resolution.value : resolution.code;
}

/** Returns the requests of the sources so far, as `METHOD /path`. */
export function requests({ sent }: Pick<Bench, 'sent'>): readonly string[] {
  return sent.map(({ method, path }) => `${method} ${path}`);
}
