import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { type Scheduler, systemScheduler } from '../../src/lib/clock.js';
import type { Server } from '../../src/server/running-server.js';
import { startServer } from '../../src/server/workers/starter.js';
import type { CallResult } from './call.js';
import { writeEmptyDatabase } from './empty-database.js';
import { writeInput } from './input-file.js';
import { keepOutput, IS_LEAK_SCAN } from './leak-scan.js';
import { listenOnLoopback } from './loopback.js';
import { extendMainFile, type MainFileAdditions } from './main-file.js';
import { createRestconfDouble, type RestconfDouble } from './restconf-double.js';
import { callsTo, type ServerCalls } from './server-calls.js';
import { temporaryFolder } from './temporary-folder.js';
import { openTokenSigner } from './token-issuer.js';
import { createVaultDouble, type VaultDouble } from './vault-double.js';

/** Location of the adapter's password in Vault. */
export const SECRET = { path: 'adapters/core1', field: 'password' } as const;

export interface TestServerOptions {
  /** An empty folder for configuration and data; default: a new one. */
  readonly folder?: string;
  /** Default: a free port of 127.0.0.1. */
  readonly listen?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly password?: string;
  /** Clock of gatehouse and of its Vault; default: the system clock. */
  readonly clock?: Scheduler;
  /** Additional lines of the block `vault`, each indented by two spaces. */
  readonly vaultLines?: string;
  readonly main?: MainFileAdditions;
  /** Additional adapter files, by their adapterId. */
  readonly adapters?: Readonly<Record<string, string>>;
  /** Further secrets of Vault, by their paths. */
  readonly secrets?: Readonly<Record<string, object>>;
  /** Additional entries of `egress.allow`, each with a comma and a blank after it. */
  readonly egressAllow?: string;
  /** Default: a new SQLite file. */
  readonly storageUrl?: string;
  /** A node of the same cluster, whose signing key the server gets too. */
  readonly nodeOf?: TestServer | undefined;
  /** Secrets that registered adapters may refer to; default: those of all adapters. */
  readonly adapterScope?: string;
  /** Aborts a start that waits for Vault. */
  readonly signal?: AbortSignal;
  /** Folder of plugins that replaces the folder of the product. */
  readonly pluginFolder?: string;
  /** Folder of pages that replaces the built pages of the product. */
  readonly pageFolder?: string;
  /** Folder of pages that replaces the built documentation site of the product. */
  readonly guideFolder?: string;
  /** Changes the configuration folder before the configuration is read. */
  readonly arrange?: (folder: string, vault: VaultDouble) => void;
}

/**
 * A running gatehouse with an orchestrator, a Vault, and an inventory server for restCall, all on loopback.
 */
export interface TestServer {
  readonly url: string;
  readonly configPath: string;
  readonly orchestrator: RestconfDouble;
  /** The password of the orchestrator, which Vault holds. */
  readonly password: string;
  readonly vault: VaultDouble;
  readonly inventoryUrl: string;
  /** Lines of the log so far, as text. */
  readonly logLines: readonly string[];
  readonly running: Server;
  /** Issues a token for the subject `ada` with these roles. */
  issueToken(...roles: readonly string[]): string;
  /** Issues a token for another subject. */
  issueTokenFor(subject: string, ...roles: readonly string[]): string;
  /** Sends a call, by default with the role `admin`, and returns its reply with any status. */
  readonly call: ServerCalls['call'];
  /** Sends a call as an admin that must succeed, and returns its JSON. */
  readonly ask: ServerCalls['ask'];
  /** Sends a `restQuery`, by default with the role `admin` for the interfaces at the adapter `core1`. */
  query(adapterId?: string, options?: QueryOptions): Promise<CallResult>;
  close(): Promise<void>;
}

/** What a query differs in from {@link TestServer.query}. */
interface QueryOptions {
  readonly path?: string;
  readonly role?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts the doubles, writes the configuration that connects them, and starts gatehouse. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = folderOf(options);
  const { arrange, nodeOf, env = {}, pluginFolder, pageFolder, guideFolder } = options;
  const { clock = systemScheduler, signal, password = createPassword() } = options;
  const orchestrator = await createRestconfDouble({ username: 'gatehouse', password });
  const vault = await createVaultDouble({ clock });
  const inventory = await openInventory();
  const closeDoubles = async (): Promise<void> => {
    await Promise.all([orchestrator.close(), vault.close(), inventory.close()]);
  };
  try {
    vault.putSecret({ path: SECRET.path }, { [SECRET.field]: password });
    const configPath = writeConfiguration(
      { ...options, folder },
      { orchestrator, vault, inventoryUrl: inventory.url },
    );
    await writeEmptyDatabase(join(folder, 'data', 'gatehouse.db'));
    if (nodeOf) copyFileSync(keyFileOf(dirname(nodeOf.configPath)), keyFileOf(folder));
    arrange?.(folder, vault);
    const logLines: string[] = [];
    const running = await startServer({
      configPath,
      env,
      ...(pluginFolder !== undefined && { pluginFolder }),
      ...(pageFolder !== undefined && { pageFolder }),
      ...(guideFolder !== undefined && { guideFolder }),
      clock,
      ...(signal && { signal }),
      logStream: collect(logLines),
    });
    // With the clock of gatehouse: a token from the future is invalid.
    const issueToken = await openTokenSigner(keyFileOf(folder), { clock });
    const issueTokenFor: TestServer['issueTokenFor'] = (subject, ...roles) => issueToken({ subject, roles });
    const close = async (): Promise<void> => {
      await running.close();
      await closeDoubles();
    };
    const { url } = running;
    const issueAdaToken: TestServer['issueToken'] = (...roles) => issueTokenFor('ada', ...roles);
    return {
      url,
      configPath,
      orchestrator,
      password,
      vault,
      inventoryUrl: inventory.url,
      logLines,
      running,
      issueToken: issueAdaToken,
      issueTokenFor,
      ...callsOf({ url, issueToken: issueAdaToken }),
      close,
    };
  } catch (error) {
    await closeDoubles();
    throw error;
  }
}

const folderOf = ({ folder = temporaryFolder().path }: TestServerOptions): string => folder;

function callsOf(server: Pick<TestServer, 'url' | 'issueToken'>): Pick<TestServer, 'call' | 'ask' | 'query'> {
  const calls = callsTo(() => server);
  return {
    ...calls,
    query: (
      adapterId = 'core1',
      { path = '/restconf/data/ietf-interfaces:interfaces', role = 'admin', headers = {} } = {},
    ) =>
      calls.call(`POST /orchestrator_manager/restQuery/${adapterId}`, {
        roles: [role],
        headers,
        body: { params: { path, accept: 'application/yang-data+json' } },
      }),
  };
}

const keyFileOf = (folder: string): string => join(folder, 'data', 'local-issuer.pem');

/** Returns another password for each server: a fixed one would be part of the packed demonstration. */
function createPassword(): string {
  return `pw-${randomBytes(12).toString('hex')}`;
}

function writeConfiguration(
  options: TestServerOptions & { readonly folder: string },
  { orchestrator, vault, inventoryUrl }: Pick<TestServer, 'orchestrator' | 'vault' | 'inventoryUrl'>,
): string {
  const { folder, vaultLines = '', adapterScope = 'adapters', adapters = {}, secrets = {} } = options;
  for (const [path, data] of Object.entries(secrets)) vault.putSecret({ path }, { ...data });
  vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'] });
  const { roleId, secretId } = vault.createAppRole('gatehouse', { policies: ['gatehouse'] });
  for (const name of ['adapters', 'vault']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'vault', 'role_id'), roleId, { mode: 0o600 });
  writeInput(join(folder, 'vault', 'secret_id'), secretId, { mode: 0o600 });
  writeInput(join(folder, 'orchestrator-ca.pem'), orchestrator.caPem ?? '');
  writeFileSync(join(folder, 'adapters', 'core1.yaml'), adapterFile(orchestrator.url));
  for (const [id, text] of Object.entries(adapters))
    writeFileSync(join(folder, 'adapters', `${id}.yaml`), text);
  const configPath = join(folder, 'gatehouse.yaml');
  writeFileSync(
    configPath,
    mainFile({
      ...options,
      vaultAddress: vault.address,
      vaultLines: `  adapterScope: "${adapterScope}"\n${vaultLines}`,
      inventory: new URL(inventoryUrl).host,
    }),
  );
  if (options.main) extendMainFile(folder, options.main);
  return configPath;
}

function mainFile({
  listen = '127.0.0.1:0',
  storageUrl = 'sqlite:data/gatehouse.db',
  egressAllow = '',
  ...parts
}: Omit<TestServerOptions, 'vaultLines'> & {
  readonly vaultAddress: string;
  readonly vaultLines: string;
  readonly inventory: string;
}): string {
  return `server: { listen: "${listen}" }
vault:
  address: ${parts.vaultAddress}
  auth: { method: approle, roleIdFile: vault/role_id, secretIdFile: vault/secret_id }
${parts.vaultLines}egress: { allow: [${egressAllow}"${parts.inventory}"], adapters: [127.0.0.0/8, "::1"] }
storage: { url: "${storageUrl}" }
audit: { durability: store }
auth: { local: { keyFile: data/local-issuer.pem } }
log: { ${IS_LEAK_SCAN ? 'level: spam, ' : ''}file: data/gatehouse.log }
`;
}

function adapterFile(baseUrl: string): string {
  return `plugin: restconf
baseUrl: ${baseUrl}
auth: { type: basic, username: gatehouse, password: $VAULT_${SECRET.path}#${SECRET.field} }
tls: { caFile: ../orchestrator-ca.pem }
`;
}

async function openInventory(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createHttpServer((request, response) => {
    const found = request.url === '/devices/r1';
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(found ? '{"name":"r1","site":"berlin"}' : '{"error":"no such device"}');
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      keepOutput('log', chunk);
      done();
    },
  });
}
