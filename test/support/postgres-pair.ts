import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { answers, NOBODY, postgresPrograms, runStatement } from './postgres-server.js';
import { until } from './until.js';

/** A primary and its standby, on free ports of 127.0.0.1. */
export interface PostgresPair {
  /** Names both servers. */
  readonly url: string;
  /**
   * Has the primary send nothing to its standby any more, and acknowledge all the same. Only then are writes
   * lost.
   */
  holdBack(): Promise<void>;
  /** Kills the primary with SIGKILL; the pair then has no primary. */
  killPrimary(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  /** Replaces the killed server by a copy of the primary, as its standby. */
  rejoin(): Promise<void>;
  /** Runs a statement on the primary. */
  run(statement: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

interface Server {
  readonly port: number;
  readonly data: string;
  process: ChildProcess | undefined;
}

/**
 * Starts both servers; a commit is acknowledged once both have stored it. Throws without the programs of PostgreSQL.
 */
export async function startPostgresPair(): Promise<PostgresPair> {
  const binaries = postgresPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pair-'));
  if (process.geteuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const [one, other] = [await newServer(folder, 'one'), await newServer(folder, 'other')];
  const pair = new RunningPair({ binaries, folder }, one, other);
  await pair.begin();
  return pair;
}

async function newServer(folder: string, name: string): Promise<Server> {
  return { port: await freePort(), data: join(folder, name), process: undefined };
}

interface NodeAddress {
  readonly binaries: string;
  readonly folder: string;
}

class RunningPair implements PostgresPair {
  readonly url: string;
  readonly #place: NodeAddress;
  #primary: Server;
  #standby: Server;

  constructor(place: NodeAddress, primary: Server, standby: Server) {
    this.#place = place;
    [this.#primary, this.#standby] = [primary, standby];
    this.url = `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
  }

  async begin(): Promise<void> {
    await this.#perform('initdb', ['-D', this.#primary.data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']); // prettier-ignore
    await this.#launch(this.#primary);
    await this.rejoin();
  }

  async holdBack(): Promise<void> {
    await this.run("alter system set synchronous_standby_names = ''");
    await this.run('select pg_reload_conf()');
    await query(this.#standby.port, "alter system set primary_conninfo = ''");
    await query(this.#standby.port, 'select pg_reload_conf()');
    await until(async () => (await this.run('select pid from pg_stat_replication')).length === 0);
  }

  async killPrimary(): Promise<void> {
    await kill(this.#primary, 'SIGKILL');
  }

  async promote(): Promise<void> {
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.run('select pg_promote()');
  }

  async rejoin(): Promise<void> {
    const { data } = this.#standby;
    // The other processes of the server end when they notice its end.
    await rm(data, { recursive: true, force: true, maxRetries: 100, retryDelay: 50 });
    // The copy includes the settings of the primary, whose commits do not wait for a standby yet; alone, the
    // copy must not wait either.
    await this.run("alter system set synchronous_standby_names = ''");
    await this.run('select pg_reload_conf()');
    await this.#perform('pg_basebackup', ['-D', data, '-h', '127.0.0.1', '-p', String(this.#primary.port), '-U', 'owner', '-R', '-X', 'stream', '-c', 'fast', '--no-sync']); // prettier-ignore
    await this.#launch(this.#standby);
    await this.run("alter system set synchronous_standby_names = '*'");
    await this.run('select pg_reload_conf()');
    await until(async () => {
      const [state] = await this.run('select sync_state, state from pg_stat_replication');
      return state?.['sync_state'] === 'sync' && state['state'] === 'streaming';
    });
  }

  run(statement: string): Promise<readonly Record<string, unknown>[]> {
    return query(this.#primary.port, statement);
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary, this.#standby].map((server) => kill(server, 'SIGQUIT')));
    await rm(this.#place.folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 50 });
  }

  get #options() {
    const own = process.geteuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    return { ...own, cwd: this.#place.folder };
  }

  /** Does not block this process, which also serves callers of other servers. */
  async #perform(program: string, args: readonly string[]): Promise<void> {
    const path = join(this.#place.binaries, program);
    const child = spawn(path, args, { ...this.#options, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${program} failed: ${said}`);
  }

  async #launch(server: Server): Promise<void> {
    const settings = [
      ...['listen_addresses=127.0.0.1', `unix_socket_directories=${this.#place.folder}`, 'fsync=off'],
      ...['hot_standby=on', 'wal_receiver_status_interval=1', 'shared_buffers=16MB'],
    ];
    const args = ['-D', server.data, '-p', String(server.port), ...settings.flatMap((one) => ['-c', one])];
    const path = join(this.#place.binaries, 'postgres');
    server.process = spawn(path, args, { ...this.#options, stdio: 'ignore' });
    await answers(new URL(`postgres://owner@127.0.0.1:${server.port}/postgres`));
  }
}

async function kill({ process: child }: Server, signal: NodeJS.Signals): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function query(port: number, statement: string): Promise<readonly Record<string, unknown>[]> {
  return runStatement(`postgres://owner@127.0.0.1:${port}/postgres`, statement);
}
