import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../support/certificates.js';
import { type OpenBao, type OpenBaoOptions, type OpenBaoPlace, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  basicAdapter,
  type Configuration,
  type Gatehouse,
  runWith,
  startGatehouse,
  startOrchestrator,
  tlsServer,
  writeConfiguration,
} from './gatehouse.js';

/** The password that the orchestrator of a bench accepts. */
export const PASSWORD = 'pw-of-the-orchestrator';

/** Policy that may read the secrets of adapters, and no more. */
export const READ_ADAPTERS = 'path "secret/data/adapters/*" { capabilities = ["read"] }';

/** A real OpenBao with the secret `adapters/nso1` and the policy `gatehouse`, and an orchestrator. */
export interface Bench {
  readonly bao: OpenBao;
  /**
   * Returns a configuration in a new folder, with the adapter `nso1`, whose password is the reference; `files` are
   * written to the folder.
   */
  configuration(
    vault: readonly string[],
    files?: Readonly<Record<string, string>>,
    reference?: string,
  ): Configuration;
  /** Creates a token with the policy `gatehouse`. */
  createToken(terms?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Creates an AppRole with the policy `gatehouse`; returns the lines and the files of its login. */
  appRole(name: string, terms?: Readonly<Record<string, unknown>>): Promise<Login>;
  close(): Promise<void>;
}

/** Lines of the block `vault`, and the files that they name. */
export interface Login {
  readonly auth: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Starts a bench; the server is a development server unless the options name a configuration. */
export async function openBench(options: OpenBaoOptions = {}): Promise<Bench> {
  const bao = await startOpenBao(options);
  try {
    return await fill(bao, options);
  } catch (error) {
    await bao.close();
    throw error;
  }
}

async function fill(bao: OpenBao, options: OpenBaoOptions): Promise<Bench> {
  if (options.config) {
    await bao.initialize();
    await bao.ask('POST', 'sys/mounts/secret', { body: { type: 'kv', options: { version: '2' } } });
  }
  const orchestrator = await startOrchestrator((_, password) => password === PASSWORD);
  await putSecret(bao);
  await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: READ_ADAPTERS } });
  await bao.ask('POST', 'sys/auth/approle', { body: { type: 'approle' } });
  return {
    bao,
    configuration: (vault, files = {}, reference = '$VAULT_adapters/nso1#password') => {
      const folder = temporaryFolder().path;
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder, name), text, { mode: 0o600 });
      const adapter = basicAdapter(orchestrator.url, 'admin', reference);
      return { folder, vault: [`address: ${bao.address}`, ...vault], adapters: { nso1: adapter } };
    },
    createToken: async (terms) => {
      const body = { policies: ['gatehouse'], ttl: '1h', ...terms };
      return String((await bao.ask('POST', 'auth/token/create', { body })).auth['client_token']);
    },
    appRole: (name, terms) => createAppRole(bao, name, terms),
    close: async () => {
      await orchestrator.close();
      await bao.close();
    },
  };
}

/** Writes the password of the orchestrator, once a new engine of KV version 2 is ready. */
export async function putSecret(bao: OpenBao, at: { readonly namespace?: string } = {}): Promise<void> {
  for (let left = 100; ; left -= 1) {
    const body = { data: { password: PASSWORD } };
    const { status } = await bao.ask('POST', 'secret/data/adapters/nso1', { body, ...at, allow: [400] });
    if (status !== 400) return;
    if (left === 0) throw new Error('the KV engine did not become ready');
  }
}

/** Creates an AppRole, in a namespace if the terms name one; see {@link Bench.appRole}. */
export async function createAppRole(
  bao: OpenBao,
  name: string,
  { namespace, ...terms }: Readonly<Record<string, unknown>> & { readonly namespace?: string } = {},
): Promise<Login> {
  const at = namespace === undefined ? {} : { namespace };
  const path = `auth/approle/role/${name}`;
  await bao.ask('POST', path, { body: { token_policies: 'gatehouse', ...terms }, ...at });
  const { data: role } = await bao.ask('GET', `${path}/role-id`, at);
  const { data: secret } = await bao.ask('POST', `${path}/secret-id`, at);
  return {
    auth: 'auth: { method: approle, roleIdFile: role_id, secretIdFile: secret_id }',
    files: { role_id: String(role['role_id']), secret_id: String(secret['secret_id']) },
  };
}

/** Runs work with a started gatehouse, and closes it. */
export async function withGatehouse(
  configuration: Configuration,
  work: (gatehouse: Gatehouse) => Promise<void>,
): Promise<void> {
  const gatehouse = await startGatehouse(configuration);
  try {
    await work(gatehouse);
  } finally {
    await gatehouse.close();
  }
}

/** Line of the block `vault` for a token in the file `token`. */
export const TOKEN_FILE = 'auth: { method: token, tokenFile: token }';

/** Returns the options of a server with https, which keeps its data in memory or in the storage. */
export function withHttps(
  certificate: Certificate,
  storage?: (place: OpenBaoPlace) => string,
): OpenBaoOptions {
  return { scheme: 'https', config: (place) => tlsServer(place, certificate, storage?.(place)) };
}

/** Starts gatehouse, calls the adapter `nso1` once, and returns the status and the log. */
export async function callOnce(
  configuration: Configuration,
): Promise<{ readonly status: number; readonly log: string }> {
  let result = { status: 0, log: '' };
  await withGatehouse(configuration, async (gatehouse) => {
    const { status } = await gatehouse.call('nso1');
    result = { status, log: gatehouse.log() };
  });
  return result;
}

/** Asserts that the first call of the adapter `nso1` succeeds. */
export async function callWorks(configuration: Configuration): Promise<void> {
  const { status, log } = await callOnce(configuration);
  assert.equal(status, 200, log);
}

/** Runs `check --probe`, or another command, and returns its exit code and its output. */
export async function checked(configuration: Configuration, ...words: readonly string[]): Promise<string> {
  const command = words.length > 0 ? words : ['check', '--probe'];
  const { code, out, err } = await runWith(writeConfiguration(configuration), ...command);
  return `${code} ${out}${err}`;
}

/** Calls an adapter, one call after the other, while some work runs and at least 20 times. Returns the statuses of failed calls. */
export async function lostDuring(
  gatehouse: Gatehouse,
  adapter: string,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const ended = new AbortController();
  const statuses: number[] = [];
  const calls = async (): Promise<void> => {
    while (!ended.signal.aborted || statuses.length < 20)
      statuses.push((await gatehouse.call(adapter)).status);
  };
  const calling = calls();
  try {
    await work();
  } finally {
    ended.abort();
    await calling;
  }
  return statuses.filter((status) => status !== 200);
}

/** Returns the configuration of a server in memory with an audit device that records requests in plain text. */
export function auditedServer({ folder, port }: OpenBaoPlace): string {
  return `storage "inmem" {}
listener "tcp" {
  address = "127.0.0.1:${port}"
  tls_disable = true
}
api_addr = "http://127.0.0.1:${port}"
disable_mlock = true
audit "file" "requests" {
  options {
    file_path = "${join(folder, 'audit.log')}"
    log_raw = "true"
  }
}
`;
}

/** A request in the record of the audit device. */
export interface AuditedRequest {
  /** For example `read`, `update`. */
  readonly operation: string;
  readonly path: string;
  readonly client_token?: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** Returns the requests that the server has received, without those of the administrator of the test. */
export function requestsOf({ folder, token }: OpenBao): readonly AuditedRequest[] {
  return readFileSync(join(folder, 'audit.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; request: AuditedRequest })
    .filter(({ type }) => type === 'request')
    .map(({ request }) => request)
    .filter((request) => request.client_token !== token);
}
