import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';
import {
  answers,
  initialize,
  launch,
  newPlace,
  perform,
  type PostgresPlace,
  runStatement,
  urlAt,
} from './postgres-server.js';
import { until } from './until.js';

interface Server {
  readonly port: number;
  readonly data: string;
  process: ChildProcess | undefined;
}

/**
 * Starts both servers; a commit is acknowledged once both have stored it. Throws without the programs of PostgreSQL.
 */
export async function startPostgresPair(): Promise<PostgresPair> {
  const place = newPlace();
  const [one, other] = [await newServer(place, 'one'), await newServer(place, 'other')];
  const pair = new PostgresPair(place, one, other);
  await pair.begin();
  return pair;
}

async function newServer({ options }: PostgresPlace, name: string): Promise<Server> {
  return { port: await freePort(), data: join(options.cwd, name), process: undefined };
}

/** A primary and its standby, on free ports of 127.0.0.1. */
export class PostgresPair {
  /** Names both servers. */
  readonly url: string;
  readonly #place: PostgresPlace;
  #primary: Server;
  #standby: Server;

  constructor(place: PostgresPlace, primary: Server, standby: Server) {
    this.#place = place;
    [this.#primary, this.#standby] = [primary, standby];
    this.url = `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
  }

  async begin(): Promise<void> {
    await initialize(this.#place, this.#primary.data);
    await this.#launch(this.#primary);
    await this.rejoin();
  }

  /**
   * Has the primary send nothing to its standby any more, and acknowledge all the same. Only then are writes
   * lost.
   */
  async holdBack(): Promise<void> {
    await this.run("alter system set synchronous_standby_names = ''");
    await this.run('select pg_reload_conf()');
    await query(this.#standby.port, "alter system set primary_conninfo = ''");
    await query(this.#standby.port, 'select pg_reload_conf()');
    await until(async () => (await this.run('select pid from pg_stat_replication')).length === 0);
  }

  /** Kills the primary with SIGKILL; the pair then has no primary. */
  async killPrimary(): Promise<void> {
    await endProcess(this.#primary.process, 'SIGKILL');
  }

  /** Promotes the standby to primary. */
  async promote(): Promise<void> {
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.run('select pg_promote()');
  }

  /** Replaces the killed server by a copy of the primary, as its standby. */
  async rejoin(): Promise<void> {
    const { data } = this.#standby;
    // The other processes of the server end when they notice its end.
    await rm(data, { recursive: true, force: true, maxRetries: 100, retryDelay: 50 });
    // The copy includes the settings of the primary, whose commits do not wait for a standby yet; alone, the
    // copy must not wait either.
    await this.run("alter system set synchronous_standby_names = ''");
    await this.run('select pg_reload_conf()');
    await perform(this.#place, 'pg_basebackup', '-D', data, '-h', '127.0.0.1', '-p', String(this.#primary.port), '-U', 'owner', '-R', '-X', 'stream', '-c', 'fast', '--no-sync'); // prettier-ignore
    await this.#launch(this.#standby);
    await this.run("alter system set synchronous_standby_names = '*'");
    await this.run('select pg_reload_conf()');
    await until(async () => {
      const [state] = await this.run('select sync_state, state from pg_stat_replication');
      return state?.['sync_state'] === 'sync' && state['state'] === 'streaming';
    });
  }

  /** Runs a statement on the primary. */
  run(statement: string): Promise<readonly Record<string, unknown>[]> {
    return query(this.#primary.port, statement);
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary, this.#standby].map((server) => endProcess(server.process, 'SIGQUIT')));
    await rm(this.#place.options.cwd, { recursive: true, force: true, maxRetries: 100, retryDelay: 50 });
  }

  async #launch(server: Server): Promise<void> {
    server.process = launch(this.#place, server, ...SETTINGS);
    await answers(new URL(urlAt(server.port)));
  }
}

const SETTINGS = ['fsync=off', 'hot_standby=on', 'wal_receiver_status_interval=1', 'shared_buffers=16MB'];

function query(port: number, statement: string): Promise<readonly Record<string, unknown>[]> {
  return runStatement(urlAt(port), statement);
}
