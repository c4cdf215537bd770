import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../../test/support/call.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openTokenSigner } from '../../test/support/token-issuer.js';
import { createVaultDouble, type VaultDouble } from '../../test/support/vault-double.js';
import { SABOTAGED } from '../report.js';
import { script, watchProcess, type WatchedProcess } from '../watched-process.js';
import { type FakedClock, openFakedClock } from './faked-clock.js';
import { openOrchestrators, type Orchestrators } from './orchestrators.js';

const MAIN = new URL('../../src/cli/main.js', import.meta.url);
const SETTABLE = new URL('settable-time.js', import.meta.url);
/** Exceeds the duration of the whole group, in milliseconds. */
const TIMEOUT_MS = 1_200_000;

/** Lifetime of Vault's leases, in seconds. */
export const LENT_SECONDS = 6;
/** Time that a name is locked after a wrong password, in seconds. */
export const LOCK_SECONDS = 60;
/** Pause of an open breaker, and time limit of a call, in milliseconds. */
export const [OPEN_MS, TOTAL_MS] = [1_000, 3_000];

/** gatehouse in a process whose clock can be set, with a Vault and orchestrators that use the system clock. */
export interface ClockEnvironment {
  readonly clock: FakedClock;
  readonly server: WatchedProcess;
  readonly vault: VaultDouble;
  readonly orchestrators: Orchestrators;
  readonly configPath: string;
  /** Issues a token at a time in milliseconds since 1970, valid for 300 seconds. */
  readonly tokenOf: (at: number) => Promise<string>;
  /** Sends a call with a token; by default with a token that is issued now. */
  readonly call: (method: string, path: string, sent?: Sent) => Promise<CallResult>;
  /** Sends a query to an adapter; resolves to the status. */
  readonly query: (adapterId: string) => Promise<number>;
  /** Stops gatehouse; resolves to the faults of its exit. */
  readonly close: () => Promise<readonly string[]>;
}

interface Sent {
  readonly token?: string;
  readonly body?: object;
}

/** Starts gatehouse and its doubles, or returns the reason why they cannot start. */
export async function openClockEnvironment(): Promise<ClockEnvironment | string> {
  const { path: folder } = temporaryFolder();
  const clock = openFakedClock(folder);
  if (typeof clock === 'string') return clock;
  const [vault, orchestrators] = await Promise.all([createVaultDouble(), openOrchestrators()]);
  const configPath = writeConfiguration(folder, { vault, orchestrators });
  const env = { ...clock.env, ...(SABOTAGED && { NODE_OPTIONS: `--import=${SETTABLE.href}` }) };
  const words = script(MAIN, 'serve', '--config', configPath);
  const server = watchProcess(words, { env, patienceMs: TIMEOUT_MS });
  const url = await server.said(/serves (http:\/\/[^"\s]+)/);
  if (url === undefined) throw new Error(`gatehouse did not start: ${server.out()}`);
  const tokenOf = async (at: number): Promise<string> => {
    const terms = { clock: { now: () => at }, tokenTtlSeconds: 300 };
    const issueToken = await openTokenSigner(join(folder, 'key.pem'), terms);
    return issueToken({ subject: 'ada', roles: ['admin'] });
  };
  const call: ClockEnvironment['call'] = async (method, path, { token, body } = {}) =>
    callUrl(`${url}${path}`, { method, token: token ?? (await tokenOf(clock.now())), body });
  return {
    clock,
    server,
    vault,
    orchestrators,
    configPath,
    tokenOf,
    call,
    async query(adapterId) {
      const body = { params: { path: '/', accept: 'application/json' } };
      const { status } = await call('POST', `/orchestrator_manager/restQuery/${adapterId}`, { body });
      return status;
    },
    async close() {
      server.child.kill('SIGTERM');
      const wrong = await server.ended;
      await Promise.all([vault.close(), orchestrators.close()]);
      return wrong;
    },
  };
}

type Doubles = Pick<ClockEnvironment, 'vault' | 'orchestrators'>;

function writeConfiguration(folder: string, { vault, orchestrators: { url } }: Doubles): string {
  lend(vault, folder);
  mkdirSync(join(folder, 'adapters'));
  const login = `auth: { type: basic, username: $VAULT_adapters/sound#user, password: $VAULT_/database/creds/sound#password }\n`;
  writeFileSync(join(folder, 'adapters', 'sound.yaml'), `plugin: http-rest\nbaseUrl: ${url}/sound\n${login}`);
  const others = {
    mute: `timeouts: { firstByteMs: ${TOTAL_MS}, totalMs: ${TOTAL_MS} }\nbreaker: { failures: 0 }\n`,
    broken: `breaker: { failures: 1, openMs: ${OPEN_MS} }\n`,
  };
  for (const [name, lines] of Object.entries(others))
    writeFileSync(
      join(folder, 'adapters', `${name}.yaml`),
      `plugin: http-rest\nbaseUrl: ${url}/${name}\nretry: { attempts: 1 }\n${lines}`,
    );
  const configPath = join(folder, 'gatehouse.yaml');
  writeFileSync(
    configPath,
    `server: { listen: "127.0.0.1:0" }
vault:
  address: ${vault.address}
  kvVersion: auto
  auth: { method: approle, roleIdFile: role_id, secretIdFile: secret_id }
  refresh: { maxStaleSeconds: 300 }
auth: { local: { keyFile: key.pem, attempts: { perUser: 1, windowSeconds: ${LOCK_SECONDS} } } }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
`,
  );
  return configPath;
}

/** A token and credentials with short leases, so that they are renewed constantly. */
function lend(vault: VaultDouble, folder: string): void {
  vault.mountDatabase('database');
  vault.createDatabaseRole('sound', { ttl: LENT_SECONDS });
  vault.putSecret({ path: 'adapters/sound' }, { user: 'user-of-sound' });
  vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'], 'database/creds/*': ['read'] });
  const terms = { policies: ['gatehouse'], ttl: LENT_SECONDS, maxTtl: 86_400 };
  const { roleId, secretId } = vault.createAppRole('gatehouse', terms);
  writeFileSync(join(folder, 'role_id'), roleId, { mode: 0o600 });
  writeFileSync(join(folder, 'secret_id'), secretId, { mode: 0o600 });
}
