import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { findPostgres, SHARED_POSTGRES } from './need-list.js';

/** A PostgreSQL server for the tests, on a free port of 127.0.0.1. */
export interface PostgresServer {
  /** URL of its database, without a schema. */
  readonly url: string;
  /** URL of a new, empty schema in it. */
  newUrl(): Promise<string>;
  /** Runs a statement as the superuser. */
  run(statement: string): Promise<readonly Record<string, unknown>[]>;
  /** Kills the server with SIGKILL, and starts it again on the same files. */
  crash(): Promise<void>;
  /** Stops the server until `resume`. */
  pause(): Promise<void>;
  /** Starts a paused server on the same files and the same port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** User id of the server if the tests run as root, because PostgreSQL refuses to run as root. */
export const NOBODY = 65_534;

interface PostgresOptions {
  readonly durable?: boolean;
  readonly own?: boolean;
}

/**
 * Uses the server at `PG_TEST_URL`, or the server that all test files share, or starts a server from the
 * binaries of this machine. Throws if none of them exists. `own` starts a private
 * server, which may be paused; `durable` one that also writes through to the disk and may be killed. Such a server
 * asks every user but `owner` for a password.
 */
export async function startPostgres({
  durable = false,
  own = durable,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const given = process.env['PG_TEST_URL'];
  if (given !== undefined && !own) return connected(new URL(given), { ...NOT_OURS, isForeign: true });
  const shared = process.env[SHARED_POSTGRES];
  if (shared !== undefined && !own) return connected(new URL(shared), NOT_OURS);
  return startOwn(postgresPrograms(), durable);
}

/** Returns the folder of the programs of PostgreSQL. Throws without them. */
export function postgresPrograms(): string {
  const programs = findPostgres();
  if (programs === undefined)
    throw new Error('PostgreSQL is not installed: its tests need describeWith(POSTGRES)');
  return programs;
}

async function startOwn(binaries: string, durable: boolean): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  const user = process.geteuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const made = spawnSync(join(binaries, 'initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], { ...user, cwd: folder, encoding: 'utf8' }); // prettier-ignore
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  writeFileSync(join(data, 'pg_hba.conf'), USERS);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    `fsync=${durable ? 'on' : 'off'}`,
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const launch = (): ChildProcess =>
    spawn(join(binaries, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
  const url = new URL(`postgres://owner@127.0.0.1:${port}/postgres`);
  let server = launch();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill(signal);
    await exit;
  };
  await answers(url);
  return connected(url, {
    async crash() {
      await end('SIGKILL');
      server = await relaunch(url, launch);
    },
    pause: () => end('SIGINT'),
    async resume() {
      server = await relaunch(url, launch);
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** Retries the start: the other processes of the killed server must end before a new server can start. */
async function relaunch(url: URL, launch: () => ChildProcess): Promise<ChildProcess> {
  for (let tried = 1; ; tried += 1) {
    const server = launch();
    const ended = once(server, 'exit').then(() => false);
    if (await Promise.race([ended, answers(url).then(() => true)])) return server;
    if (tried === 100) throw new Error('PostgreSQL did not start again');
  }
}

/** Who may connect, first match first. Every other user, for example one that a secrets engine creates, needs a password. */
const USERS = `host all owner 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

interface Life {
  readonly crash: () => Promise<void>;
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** True if the server continues after the tests; the tests must then remove all their data. */
  readonly isForeign?: boolean;
}

let count = 0;

function connected(url: URL, { stop, isForeign = false, ...life }: Life): PostgresServer {
  const run: PostgresServer['run'] = (statement) => runStatement(url.href, statement);
  const schemas: string[] = [];
  return {
    url: url.href,
    run,
    ...life,
    async close() {
      if (isForeign) for (const schema of schemas) await run(`drop schema ${schema} cascade`);
      await stop();
    },
    async newUrl() {
      const schema = `gatehouse_test_${process.pid}_${(count += 1)}`;
      schemas.push(schema);
      await run(`create schema ${schema}`);
      const own = new URL(url);
      own.searchParams.set('options', `-c search_path=${schema}`);
      return own.href;
    },
  };
}

/** Runs a statement on the database at a URL. */
export async function runStatement(
  connectionString: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

function cannotStop(): Promise<void> {
  return Promise.reject(new Error('the server is shared, and must not be stopped; start an own one'));
}

const NOT_OURS: Life = {
  crash: cannotStop,
  pause: cannotStop,
  resume: cannotStop,
  stop: () => Promise.resolve(),
};

/** Polls the server until it is ready to answer; the server does not announce it. */
export async function answers(url: URL): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
