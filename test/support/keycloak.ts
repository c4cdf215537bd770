import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { SHARED_KEYCLOAK } from './need-list.js';
import { until } from './until.js';

/** A real Keycloak server on loopback, with administration through its REST API. */
export interface Keycloak {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Sends a request of the administrator to `/admin/realms<path>`. Throws for a status of 400 or more. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Environment variable with the password of the administrator of the server at `SHARED_KEYCLOAK`. */
export const KEYCLOAK_PASSWORD = 'GATEHOUSE_TEST_KEYCLOAK_PASSWORD';

const ADMIN = 'admin';

/** Connects to the server that the run has started. Throws if there is none. */
export function sharedKeycloak(): Omit<Keycloak, 'close'> {
  const [url = '', password = ''] = [SHARED_KEYCLOAK, KEYCLOAK_PASSWORD].map((name) => process.env[name]);
  if (url === '') throw new Error('Keycloak does not run: its tests need describeWith(KEYCLOAK)');
  return { url, admin: adminOf(url, password) };
}

/** Maximum time of a start, in milliseconds. The first start of a distribution takes longest. */
const START_MS = 300_000;

/** Starts a server in memory with an empty folder of data, and waits until it answers. */
export async function startKeycloak(home: string): Promise<Keycloak & { readonly password: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-keycloak-'));
  const password = `pw-${randomBytes(12).toString('hex')}`;
  const [port, managementPort] = [await freePort(), await freePort()];
  const output = openSync(join(folder, 'output'), 'a');
  const child = spawn(
    join(home, 'bin', 'kc.sh'),
    [
      'start-dev',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      `--http-management-port=${managementPort}`,
      '--db=dev-mem',
      '--cache=local',
    ],
    {
      cwd: folder,
      // A process group of its own: the script starts Java as a child.
      detached: true,
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env['PATH'],
        JAVA_HOME: process.env['JAVA_HOME'],
        HOME: folder,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN,
        KC_BOOTSTRAP_ADMIN_PASSWORD: password,
      },
    },
  );
  closeSync(output);
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await answers(url, child, () => readFileSync(join(folder, 'output'), 'utf8'));
  } catch (error) {
    await close();
    throw error;
  }
  return { url, password, admin: adminOf(url, password), close };
}

/** Polls the server until it answers; it does not announce that it listens. */
function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  return until(
    async () => {
      if (child.exitCode !== null)
        throw new Error(`Keycloak ended with ${child.exitCode}: ${output().slice(-2000)}`);
      return fetch(`${url}/realms/master`).then(
        ({ status }) => status === 200,
        () => false,
      );
    },
    { timeoutMs: START_MS, pauseMs: 250 },
  );
}

function adminOf(url: string, password: string): Keycloak['admin'] {
  let token: { readonly text: string; readonly until: number } | undefined;

  async function adminToken(): Promise<string> {
    if (token && Date.now() < token.until) return token.text;
    const form = { grant_type: 'password', client_id: 'admin-cli', username: ADMIN, password };
    const answered = await ask(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: text } = answered as { access_token: string };
    // Tokens of the administrator live for a minute.
    token = { text, until: Date.now() + 30_000 };
    return text;
  }

  return async (method, path, body) =>
    ask(`${url}/admin/realms${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await adminToken()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status >= 400)
    throw new Error(`Keycloak refuses ${init.method ?? 'GET'} ${url}: ${response.status} ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
