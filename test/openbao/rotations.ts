import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TOKEN_FILE } from './bench.js';
import { acceptsLogin, addStaticRole, connectDatabase } from './database-engine.js';
import {
  type Accepts,
  basicAdapter,
  type Gatehouse,
  type Orchestrator,
  startGatehouse,
  startOrchestrator,
} from './gatehouse.js';

/** What replaces the credentials of an adapter while it is called. */
const ROTATIONS = ['kv', 'leases', 'static-role', 'revocation'] as const;
type Rotation = (typeof ROTATIONS)[number];

interface RotationSetting {
  readonly bao: OpenBao;
  readonly database: PostgresServer;
  /** Seconds between two replacements. */
  readonly periodSeconds: number;
}

/** An adapter whose credentials are replaced again and again. */
interface RotatedAdapter {
  readonly name: Rotation;
  /** File of the adapter. */
  readonly file: string;
  readonly orchestrator: Orchestrator;
  /** Credentials that the orchestrator has accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Replaces the credentials. Absent if OpenBao does that by itself. */
  readonly replace?: () => Promise<void>;
}

/** Creates roles, accounts and orchestrators; each orchestrator accepts what PostgreSQL accepts, or the latest value of a secret. */
async function prepareRotations(setting: RotationSetting): Promise<readonly RotatedAdapter[]> {
  const { bao, database, periodSeconds } = setting;
  const { url } = database;
  await bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
  await connectDatabase({ bao, name: 'leases', url, ttlSeconds: periodSeconds });
  await connectDatabase({ bao, name: 'revocation', url });
  await addStaticRole({ bao, name: 'leases' }, database, { username: 'rotated-account', periodSeconds });
  const byDatabase = (username: string, password: string) => acceptsLogin(url, username, password);
  const fromDatabase = async (name: Rotation, path: string): Promise<RotatedAdapter> => {
    const seen = new Set<string>();
    const orchestrator = await startOrchestrator(noting(seen, byDatabase));
    const file = basicAdapter(
      orchestrator.url,
      `$VAULT_/database/${path}#username`,
      `$VAULT_/database/${path}#password`,
    );
    return { name, file, orchestrator, accepted: seen };
  };
  return [
    await fromStoredSecret(bao),
    await fromDatabase('leases', 'creds/leases'),
    await fromDatabase('static-role', 'static-creds/rotated-account'),
    {
      ...(await fromDatabase('revocation', 'creds/revocation')),
      replace: async () => {
        await bao.ask('PUT', 'sys/leases/revoke-prefix/database/creds/revocation');
      },
    },
  ];
}

async function fromStoredSecret(bao: OpenBao): Promise<RotatedAdapter> {
  let count = 0;
  let accepted: readonly string[] = [];
  const seen = new Set<string>();
  const orchestrator = await startOrchestrator(noting(seen, (_, password) => accepted.includes(password)));
  // The orchestrator accepts both passwords while Vault is written, as the guide asks for.
  const replace = async (): Promise<void> => {
    const password = `pw-of-rotation-${(count += 1)}`;
    accepted = [...accepted, password];
    await bao.ask('POST', 'secret/data/adapters/kv', { body: { data: { password } } });
    accepted = [password];
  };
  await replace();
  return {
    name: 'kv',
    file: basicAdapter(orchestrator.url, 'admin', '$VAULT_adapters/kv#password'),
    orchestrator,
    accepted: seen,
    replace,
  };
}

/** Notes the credentials that are accepted. */
function noting(seen: Set<string>, accepts: Accepts): Accepts {
  return async (username, password) => {
    const isRight = await accepts(username, password);
    if (isRight) seen.add(`${username} ${password}`);
    return isRight;
  };
}

/**
 * Calls an adapter at an even pace, and replaces its credentials after each period. Returns the number of calls, the
 * failed ones by status and code, the requests that the orchestrator refused, which gatehouse repeats with other
 * credentials, and the number of credentials that the orchestrator accepted.
 */
export async function runRotation(
  gatehouse: Gatehouse,
  { name, orchestrator, accepted, replace }: RotatedAdapter,
  { calls, seconds, periodSeconds }: { calls: number; seconds: number; periodSeconds: number },
) {
  const begun = performance.now();
  const failed: Record<string, number> = {};
  const running: Promise<void>[] = [];
  const count = async (): Promise<void> => {
    const { status, json } = await gatehouse.call(name);
    if (status === 200) return;
    const key = `${status} ${(json as { code?: string }).code ?? ''}`;
    failed[key] = (failed[key] ?? 0) + 1;
  };
  let replaced = 0;
  for (let call = 0; call < calls; call += 1) {
    const dueMs = (call / calls) * seconds * 1000;
    await setTimeout(Math.max(0, dueMs - (performance.now() - begun)));
    running.push(count());
    if (replace && dueMs >= (replaced + 1) * periodSeconds * 1000) {
      replaced += 1;
      running.push(replace());
    }
  }
  await Promise.all(running);
  return {
    calls,
    failed,
    refusals: orchestrator.counts.get(401) ?? 0,
    credentials: accepted.size,
    seconds: Math.round((performance.now() - begun) / 1000),
  };
}

/** Starts OpenBao, PostgreSQL, the orchestrators and a gatehouse whose adapters have rotated credentials. */
export async function openRotationBench(periodSeconds: number, ...vaultLines: readonly string[]) {
  const database = await startPostgres({ own: true });
  const bao = await startOpenBao();
  const adapters = await prepareRotations({ bao, database, periodSeconds });
  const { path: folder } = temporaryFolder();
  writeFileSync(join(folder, 'token'), bao.token);
  const gatehouse = await startGatehouse({
    folder,
    vault: [`address: ${bao.address}`, 'kvVersion: auto', TOKEN_FILE, ...vaultLines],
    adapters: Object.fromEntries(adapters.map(({ name, file }) => [name, file])),
  });
  return {
    gatehouse,
    adapters,
    async close() {
      await gatehouse.close();
      for (const { orchestrator } of adapters) await orchestrator.close();
      await Promise.all([bao.close(), database.close()]);
    },
  };
}
