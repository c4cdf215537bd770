import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const LOGIN_PAGE = '<html>j_security_check</html>';

/** Answer to a request whose session has ended. */
type Refusal = 302 | 'login page';

/** An orchestrator that carries out a request, then ends all sessions and demands another password. */
async function startOrchestrator() {
  const sessions = new Set<string>();
  const state = { password: 'old-password', refusal: undefined as Refusal | undefined };
  const requests: string[] = [];
  const logIn = (form: string, response: ServerResponse): void => {
    const session = `S=${sessions.size}-${state.password}`;
    const isAccepted = new URLSearchParams(form).get('password') === state.password;
    if (isAccepted) sessions.add(session);
    response.writeHead(isAccepted ? 200 : 401, isAccepted ? { 'set-cookie': session } : {}).end();
  };
  const endSessions = (refusal: Refusal, response: ServerResponse): void => {
    sessions.clear();
    state.password = 'new-password';
    state.refusal = undefined;
    if (refusal === 'login page') response.writeHead(200, { 'content-type': 'text/html' }).end(LOGIN_PAGE);
    else response.writeHead(refusal).end();
  };
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { method = '', url, headers } = request;
      // A rotated secret is tested with a request of `/`.
      if (url === '/a') requests.push(`${method} ${sent}`);
      if (url === '/login') logIn(sent, response);
      else if (state.refusal !== undefined) endSessions(state.refusal, response);
      else if (sessions.has(headers.cookie ?? ''))
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      else response.writeHead(401).end();
    });
  });
  const { host, close } = await listenOnLoopback(server);
  return { host, state, requests, close };
}

const adapter = (host: string): string => `plugin: http-rest
baseUrl: http://${host}
auth:
  type: login
  steps:
    - request: { path: /login, form: { password: $VAULT_adapters/other#password } }
  apply: { cookies: true }
  refreshOn: [302]
  loginPage: j_security_check
`;

describe('a session that ends with a request while the secret is rotated', () => {
  const opened = openedByTest();
  let orchestrator: Awaited<ReturnType<typeof startOrchestrator>>;
  let server: TestServer;

  beforeEach(async () => {
    orchestrator = await opened(startOrchestrator());
    server = await opened(
      startTestServer({
        secrets: { 'adapters/other': { password: 'old-password' } },
        adapters: { other: adapter(orchestrator.host) },
      }),
    );
    assert.equal((await act()).status, 200);
    orchestrator.requests.length = 0;
  });

  const params = { path: '/a', accept: 'application/json' };
  const act = () =>
    server.call('POST /orchestrator_manager/restAction/other', {
      body: { params: { ...params, method: 'POST' }, body: { a: 1 } },
    });
  const query = () => server.call('POST /orchestrator_manager/restQuery/other', { body: { params } });
  const endSession = (refusal: Refusal): void => {
    orchestrator.state.refusal = refusal;
    server.vault.putSecret({ path: 'adapters/other' }, { password: 'new-password' });
  };

  it('answers an action with a login page: it is sent once, and fails (bug: it was sent twice)', async () => {
    endSession('login page');
    const { status, json } = await act();
    const { code, ...others } = json as Record<string, unknown>;
    assert.deepEqual([status, code, 'isUnsent' in others], [502, 'upstream_auth', false]);
    assert.deepEqual(orchestrator.requests, ['POST {"a":1}']);
    assert.equal((await act()).status, 200, 'the credentials are renewed');
  });

  it('answers a query with 302: it is sent again', async () => {
    endSession(302);
    assert.equal((await query()).status, 200);
    assert.equal(orchestrator.requests.length, 2);
  });
});
