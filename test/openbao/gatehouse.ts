import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { callUrl, type CallResult } from '../support/call.js';
import type { Certificate } from '../support/certificates.js';
import { runCommand, type CommandResult } from '../support/command-io.js';
import { keepOutput } from '../support/leak-scan.js';
import { listenOnLoopback } from '../support/loopback.js';
import type { OpenBaoPlace } from '../support/openbao.js';
import { openTokenSigner } from '../support/token-issuer.js';

/** A folder with the configuration of a gatehouse that reads its secrets from a real OpenBao server. */
export interface Configuration {
  readonly folder: string;
  /** Members of the block `vault` in YAML, one line each. */
  readonly vault: readonly string[];
  /** Adapter files by name. */
  readonly adapters: Readonly<Record<string, string>>;
  /** Receives each line of the log, also before the server has started. */
  readonly onLogLine?: (line: string) => void;
}

/** A running gatehouse. */
export interface Gatehouse {
  readonly url: string;
  readonly server: Server;
  /** Returns the log so far. */
  log(): string;
  /** Calls an adapter with restQuery. */
  call(adapter: string): Promise<CallResult>;
  /** Sends a request of an administrator. */
  admin(method: string, path: string): Promise<CallResult>;
  close(): Promise<void>;
}

/** Writes the files of a configuration and returns the path of its main file. */
export function writeConfiguration({ folder, vault, adapters }: Configuration): string {
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  for (const [name, text] of Object.entries(adapters))
    writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
  const path = join(folder, 'gatehouse.yaml');
  writeFileSync(
    path,
    // A busy machine must not turn calls away: the tests count them.
    `server: { listen: "127.0.0.1:0", overload: null }
vault:
${vault.map((line) => `  ${line}\n`).join('')}storage: { url: "sqlite:data/gatehouse.db" }
auth: { local: { keyFile: data/local-issuer.pem } }
audit: { file: data/audit.log }
log: { file: data/gatehouse.log }
`,
  );
  return path;
}

/** Starts a gatehouse with the configuration. Rejects like the command when it cannot start. */
export async function startGatehouse(configuration: Configuration): Promise<Gatehouse> {
  const lines: string[] = [];
  const server = await createServer({
    configPath: writeConfiguration(configuration),
    clock: systemScheduler,
    env: {},
    logStream: new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        configuration.onLogLine?.(chunk.toString());
        keepOutput('log', chunk);
        done();
      },
    }),
  });
  const issue = await openTokenSigner(join(configuration.folder, 'data', 'local-issuer.pem'));
  const token = issue({ subject: 'ada', roles: ['admin'] });
  const body = { params: { path: '/state', accept: 'application/json' } };
  return {
    url: server.url,
    server,
    log: () => lines.join(''),
    call: (adapter) => callUrl(`${server.url}/orchestrator_manager/restQuery/${adapter}`, { token, body }),
    admin: (method, path) => callUrl(server.url + path, { method, token }),
    close: () => server.close(),
  };
}

/** Runs a command with the configuration. */
export function runWith(path: string, ...words: readonly string[]): Promise<CommandResult> {
  return runCommand([...words, '--config', path]);
}

/** An orchestrator that answers 200 to the credentials that it accepts, and 401 to all others. */
export interface Orchestrator {
  readonly url: string;
  /** Requests by their status. */
  readonly counts: Map<number, number>;
  close(): Promise<void>;
}

/** Returns true for credentials that an orchestrator accepts. */
export type Accepts = (username: string, password: string) => boolean | Promise<boolean>;

/** Starts an orchestrator for HTTP Basic authentication on a free port of 127.0.0.1. */
export async function startOrchestrator(accepts: Accepts): Promise<Orchestrator> {
  const counts = new Map<number, number>();
  const server = createHttpServer((request, response) => {
    const given = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    const [username = '', password = ''] = given.split(/:(.*)/s);
    void Promise.resolve(accepts(username, password)).then((isRight) => {
      const status = isRight ? 200 : 401;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"state":"up"}');
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, counts, close };
}

/** Returns the file of an http-rest adapter with these credentials, values or references. */
export function basicAdapter(baseUrl: string, username: string, password: string): string {
  return `plugin: http-rest
baseUrl: ${baseUrl}
auth: { type: basic, username: "${username}", password: "${password}" }
`;
}

/** Returns the configuration of an OpenBao server with TLS. It keeps its data in memory, or in the given storage. */
export function tlsServer(
  { folder, port, clusterPort }: OpenBaoPlace,
  { cert, key }: Certificate,
  storage = 'storage "inmem" {}',
): string {
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  return `${storage}
listener "tcp" {
  address = "127.0.0.1:${port}"
  cluster_address = "127.0.0.1:${clusterPort}"
  tls_cert_file = "${join(folder, 'cert.pem')}"
  tls_key_file = "${join(folder, 'key.pem')}"
}
api_addr = "https://127.0.0.1:${port}"
cluster_addr = "https://127.0.0.1:${clusterPort}"
disable_mlock = true
`;
}

/** Returns a storage that keeps the data on disk, on each node of a cluster; `more` are further lines of its block. */
export function raft({ folder, port }: OpenBaoPlace, more = ''): string {
  return `storage "raft" {
  path = "${join(folder, 'raft')}"
  node_id = "node-${port}"
  performance_multiplier = "1"
${more}}`;
}
