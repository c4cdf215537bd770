import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';
import { findPostgres, SHARED_POSTGRES } from './need-list.js';
import { until } from './until.js';

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
const NOBODY = 65_534;

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
  return startOwn(durable);
}

/** Returns the folder of the programs of PostgreSQL. Throws without them. */
function postgresPrograms(): string {
  const programs = findPostgres();
  if (programs === undefined)
    throw new Error('PostgreSQL is not installed: its tests need describeWith(POSTGRES)');
  return programs;
}

/** Programs of PostgreSQL, and how to run them: in a folder, as a user who is not root. */
export interface PostgresPlace {
  readonly binaries: string;
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/** Creates a folder for the files of servers. */
export function newPlace(): PostgresPlace {
  const binaries = postgresPrograms();
  const cwd = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) chownSync(cwd, NOBODY, NOBODY);
  chmodSync(cwd, 0o700);
  return { binaries, options: { cwd, ...(isRoot && { uid: NOBODY, gid: NOBODY }) } };
}

/** Runs a program of PostgreSQL. Does not block this process, which also serves callers of other servers. */
export async function perform(
  { binaries, options }: PostgresPlace,
  program: string,
  ...args: readonly string[]
): Promise<void> {
  const child = spawn(join(binaries, program), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${said}`);
}

/** Creates the files of a server, with the superuser `owner`. */
export function initialize(place: PostgresPlace, data: string): Promise<void> {
  return perform(place, 'initdb', '-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'); // prettier-ignore
}

/** Starts a server with settings, on a port of 127.0.0.1. */
export function launch(
  { binaries, options }: PostgresPlace,
  { data, port }: { readonly data: string; readonly port: number },
  ...settings: readonly string[]
): ChildProcess {
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${options.cwd}`, ...settings];
  const args = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
  return spawn(join(binaries, 'postgres'), args, { ...options, stdio: 'ignore' });
}

/** Returns the URL of the database of a server. */
export const urlAt = (port: number): string => `postgres://owner@127.0.0.1:${port}/postgres`;

async function startOwn(durable: boolean): Promise<PostgresServer> {
  const place = newPlace();
  const folder = place.options.cwd;
  const address = { data: join(folder, 'data'), port: await freePort() };
  await initialize(place, address.data);
  writeFileSync(join(address.data, 'pg_hba.conf'), USERS);
  const start = () => launch(place, address, `fsync=${durable ? 'on' : 'off'}`);
  const url = new URL(urlAt(address.port));
  let server = start();
  await answers(url);
  return connected(url, {
    async crash() {
      await endProcess(server, 'SIGKILL');
      server = await relaunch(url, start);
    },
    pause: () => endProcess(server, 'SIGINT'),
    async resume() {
      server = await relaunch(url, start);
    },
    async stop() {
      await endProcess(server, 'SIGINT');
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
export function answers({ href }: URL): Promise<void> {
  const asked = (): Promise<boolean> =>
    runStatement(href, 'select 1').then(
      () => true,
      () => false,
    );
  return until(asked, { pauseMs: 20 });
}
