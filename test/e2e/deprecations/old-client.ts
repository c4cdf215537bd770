import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atRelease } from '../../support/at-release.js';
import { callUrl, type CallOptions, type CallResult } from '../../support/call.js';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

export const PASSWORD = 'pw-6d1f-of-grace';

/** A server at a release, and functions that call it as an admin. */
export interface OldReleaseServer extends TestServer {
  /** Sends a call, and returns its reply with any status. */
  readonly call: (route: string, options?: CallOptions) => Promise<CallResult>;
  /** Sends a call that must succeed, and returns its JSON. */
  readonly ask: <T = unknown>(route: string, body?: unknown) => Promise<T>;
  /** Registers an adapter that needs no orchestrator. */
  readonly register: (name: string) => Promise<void>;
}

/** Starts gatehouse with a release, the adapter `core1` from a file, and a user who can log in. */
export async function startServerAtRelease(
  release: string,
  pluginFolder?: string,
): Promise<OldReleaseServer> {
  const { path: folder } = temporaryFolder();
  const testServer = await startTestServer({
    folder,
    ...(pluginFolder !== undefined && { pluginFolder }),
    arrange: () => {
      atRelease(release)(folder);
      addUser(join(folder, 'gatehouse.yaml'));
    },
  });
  const call: OldReleaseServer['call'] = (route, options = {}) => {
    const [method = '', path = ''] = route.split(' ');
    return callUrl(testServer.url + path, { method, token: testServer.issueToken('admin'), ...options });
  };
  const ask: OldReleaseServer['ask'] = async <T>(route: string, body?: unknown) => {
    const { status, json, text } = await call(route, { body });
    assert.equal(status, 200, `${route}: ${text}`);
    return json as T;
  };
  const register = async (name: string): Promise<void> => {
    await ask('POST /adapters', { properties: adapterNamed(name) });
  };
  return { ...testServer, call, ask, register };
}

/** Returns an adapter as a client sends it. */
export function adapterNamed(name: string) {
  return { name, model: 'http-rest', properties: { id: name, type: 'http-rest', properties: settings() } };
}

/** Returns the settings of an adapter that needs no orchestrator. */
export function settings(): Readonly<Record<string, unknown>> {
  return { baseUrl: 'http://127.0.0.1:9' };
}

function addUser(path: string): void {
  const text = readFileSync(path, 'utf8');
  const user = `{ username: grace, passwordHash: '${cheapHash(PASSWORD)}', roles: [admin] }`;
  const local = `local: { keyFile: data/local-issuer.pem, users: [${user}] }`;
  writeFileSync(
    path,
    text.replace(/local: \{ keyFile: [^}]*\}/, () => local),
  );
}
