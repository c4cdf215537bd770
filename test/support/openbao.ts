import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as undiciRequest } from 'undici';
import { isJsonObject } from '../../src/json/json-object.js';
import { endProcess, hasEnded } from './end-process.js';
import { freePort } from './free-port.js';
import { findOpenBao } from './need-list.js';
import { parsedJson } from './parsed-json.js';
import { until } from './until.js';

interface AskOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly namespace?: string;
  /** Replaces the root token; empty: no token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns replies of these statuses too. */
  readonly allow?: readonly number[];
}

/** The members of a reply that tests use. */
interface OpenBaoReply {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly auth: Readonly<Record<string, unknown>>;
  readonly wrap_info: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface OpenBaoOptions {
  /** Configuration file (HCL). Absent: a development server, unsealed, in memory, with KV version 2 at `secret`. */
  readonly config?: (place: OpenBaoPlace) => string;
  /** Absent: {@link findOpenBao}. */
  readonly program?: string;
  /** Scheme of the listener of `config`. */
  readonly scheme?: 'http' | 'https';
}

/** What a configuration file names. */
export interface OpenBaoPlace {
  readonly folder: string;
  readonly port: number;
  readonly clusterPort: number;
}

/** Starts a server and waits until it answers. Throws without the program. */
export async function startOpenBao(options: OpenBaoOptions = {}): Promise<OpenBao> {
  const program = options.program ?? findOpenBao();
  if (program === undefined)
    throw new Error('OpenBao is not installed: its tests need describeWith(OPENBAO)');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-openbao-'));
  const place: OpenBaoPlace = { folder, port: await freePort(), clusterPort: await freePort() };
  const token = options.config ? '' : `root-${randomBytes(12).toString('hex')}`;
  const server = new OpenBao({
    program,
    args: argumentsOf(options, place, token),
    folder,
    address: `${options.scheme ?? 'http'}://127.0.0.1:${place.port}`,
    token,
  });
  await server.start();
  return server;
}

interface ProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly address: string;
  readonly token: string;
}

/** A real OpenBao server for the tests, on free ports of 127.0.0.1. */
export class OpenBao {
  /** Origin of its API. */
  readonly address: string;
  /** Folder of the server, also for files of the test; removed by `close`. */
  readonly folder: string;
  /** May do everything. Empty before {@link OpenBao.initialize}. */
  token: string;
  /** A node of the same cluster needs it. */
  unsealKey = '';
  readonly #options: ProcessOptions;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    ({ address: this.address, folder: this.folder, token: this.token } = options);
    this.#log = join(options.folder, 'output');
  }

  async start(): Promise<void> {
    const { program, args, folder } = this.#options;
    this.#child = launch(program, args, { folder, log: this.#log });
    await answers(this.address, this.#child, () => this.output());
  }

  /** Ends the process and keeps its files; `start` starts it again. */
  async stop(): Promise<void> {
    // A stopped process takes SIGTERM only after SIGCONT.
    this.#child?.kill('SIGCONT');
    await endProcess(this.#child, 'SIGTERM');
  }

  /** Sends a request with the root token. Throws for every status but 200 and 204. */
  ask(method: string, path: string, options: AskOptions = {}): Promise<OpenBaoReply> {
    return send({ address: this.address, token: this.token, method, path }, options);
  }

  /** Initializes a configured server with one key share and unseals it. */
  async initialize(): Promise<void> {
    const { body } = await this.ask('PUT', 'sys/init', {
      body: { secret_shares: 1, secret_threshold: 1 },
    });
    const { root_token: token, keys_base64: keys } = body as { root_token: string; keys_base64: string[] };
    this.token = token;
    await this.unseal(keys[0]);
  }

  async seal(): Promise<void> {
    await this.ask('PUT', 'sys/seal');
  }

  async unseal(key = this.unsealKey): Promise<void> {
    this.unsealKey = key;
    await this.ask('PUT', 'sys/unseal', { body: { key } });
    await isActive((...call) => this.ask(...call));
  }

  /** Sends a signal to the process, for example SIGSTOP. */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Returns what the server wrote to stdout and stderr. */
  output(): string {
    return readFileSync(this.#log, 'utf8');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function argumentsOf({ config }: OpenBaoOptions, place: OpenBaoPlace, token: string): readonly string[] {
  if (!config)
    return [
      '-dev',
      '-dev-no-store-token',
      `-dev-root-token-id=${token}`,
      `-dev-listen-address=127.0.0.1:${place.port}`,
    ];
  mkdirSync(join(place.folder, 'raft'));
  writeFileSync(join(place.folder, 'server.hcl'), config(place));
  return [`-config=${join(place.folder, 'server.hcl')}`];
}

function launch(
  program: string,
  args: readonly string[],
  { folder, log }: { readonly folder: string; readonly log: string },
): ChildProcess {
  const output = openSync(log, 'a');
  try {
    // The environment has no address and no token of another server.
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    return spawn(program, ['server', ...args], { cwd: folder, env, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

const PATIENCE = { timeoutMs: 30_000, pauseMs: 20 };

/** Polls a server until it answers in any state; it does not announce that it listens. */
function answers(address: string, child: ChildProcess, output: () => string): Promise<void> {
  return until(async () => {
    if (hasEnded(child)) throw new Error(`OpenBao ended with ${child.exitCode}: ${output()}`);
    const asked = request({ url: `${address}/v1/sys/health`, method: 'GET', headers: {} });
    return asked.then(
      () => true,
      () => false,
    );
  }, PATIENCE);
}

/** Polls an unsealed server until it is active, or a standby that knows the active node. */
function isActive(ask: OpenBao['ask']): Promise<void> {
  return until(async () => {
    const { status } = await ask('GET', 'sys/health', { token: '', allow: [429, 503] });
    if (status !== 429) return status === 200;
    const { body } = await ask('GET', 'sys/leader', { token: '', allow: [500, 503] });
    const { is_self: isSelf, leader_address: leader = '' } = body as {
      is_self?: boolean;
      leader_address?: string;
    };
    return isSelf === false && leader !== '';
  }, PATIENCE);
}

interface Call {
  readonly address: string;
  readonly token: string;
  readonly method: string;
  readonly path: string;
}

async function send(call: Call, options: AskOptions): Promise<OpenBaoReply> {
  const { namespace, headers, allow = [], token = call.token } = options;
  const { status, text } = await request({
    url: `${call.address}/v1/${call.path}`,
    method: call.method,
    headers: {
      'x-vault-request': 'true',
      ...(token !== '' && { 'x-vault-token': token }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      ...headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  if (status !== 200 && status !== 204 && !allow.includes(status))
    throw new Error(`OpenBao refused ${call.method} ${call.path}: ${status} ${text}`);
  const body = parsedJson(text) ?? text;
  return {
    status,
    body,
    data: memberOf(body, 'data'),
    auth: memberOf(body, 'auth'),
    wrap_info: memberOf(body, 'wrap_info'),
  };
}

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request. Certificates are not checked: the tests check what gatehouse checks, and this is not gatehouse. */
async function request({ url, method, headers, body }: Exchange): Promise<{ status: number; text: string }> {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const reply = await undiciRequest(url, {
      dispatcher: agent,
      method: method as 'GET',
      headers,
      body: body ?? null,
    });
    return { status: reply.statusCode, text: await reply.body.text() };
  } finally {
    await agent.close();
  }
}

function memberOf(body: unknown, name: string): Readonly<Record<string, unknown>> {
  const member = isJsonObject(body) ? body[name] : undefined;
  return isJsonObject(member) ? member : {};
}
