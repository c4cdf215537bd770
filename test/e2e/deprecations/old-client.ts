import { cheapHash } from '../../support/password-hash.js';
import { callsTo, type ServerCalls } from '../../support/server-calls.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

export const PASSWORD = 'pw-6d1f-of-grace';

/** A server at a release, and functions that call it as an admin. */
export interface OldReleaseServer extends TestServer, ServerCalls {
  /** Registers an adapter that needs no orchestrator. */
  readonly register: (name: string) => Promise<unknown>;
}

/** Starts gatehouse with a release, the adapter `core1` from a file, and a user who can log in. */
export async function startServerAtRelease(release: string): Promise<OldReleaseServer> {
  const user = `{ username: grace, passwordHash: '${cheapHash(PASSWORD)}', roles: [admin] }`;
  const testServer = await startTestServer({
    main: {
      local: `users: [${user}]`,
      more: `release: "${release}"
`,
    },
  });
  const calls = callsTo(() => testServer);
  const register = (name: string) => calls.ask('POST /adapters', { properties: adapterNamed(name) });
  return { ...testServer, ...calls, register };
}

/** Returns an adapter as a client sends it. */
export const adapterNamed = (name: string) => ({
  name,
  model: 'http-rest',
  properties: { id: name, type: 'http-rest', properties: SETTINGS },
});

/** Settings of an adapter that needs no orchestrator. */
export const SETTINGS = { baseUrl: 'http://127.0.0.1:9' };
