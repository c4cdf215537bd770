import assert from 'node:assert/strict';
import { request } from 'undici';
import type { CallOptions } from '../support/call.js';
import {
  connectEarlier,
  connectLater,
  type ConnectMcp,
  type McpClient,
  postMcp,
} from '../support/mcp-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const QUERY = {
  adapterId: 'core1',
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};
const ACTION = {
  ...QUERY,
  params: { ...QUERY.params, method: 'patch', contentType: 'application/yang-data+json' },
  body: { 'ietf-interfaces:interfaces': { interface: [{ name: 'Gi0/1', description: 'by an agent' }] } },
};
const TOOLS = [
  'orchestrator-manager.restQuery',
  'orchestrator-manager.restAction',
  'health.getAdaptersHealth',
];

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const CLIENTS: readonly (readonly [era: string, connect: ConnectMcp])[] = [
  ['2026-07-28', connectLater],
  ['2025-11-25', connectEarlier],
];

describe('tools for agents with two processes for calls', () => {
  let server: TestServer;
  before(async () => {
    const mcp = `enabled: true, operations: [${TOOLS.join(', ')}], actions: allowed`;
    server = await startTestServer({
      main: { server: 'workers: 2', more: `mcp: { ${mcp} }\n` },
    });
  });
  after(() => server.close());

  for (const [era, connect] of CLIENTS)
    describe(`for a client of ${era}`, () => {
      let admin: McpClient;
      let viewer: McpClient;
      before(async () => {
        admin = await connect(server.url, server.issueToken('admin'));
        viewer = await connect(server.url, server.issueTokenFor('vera', 'viewer'));
      });
      after(() => Promise.all([admin.close(), viewer.close()]));

      it('lists to each caller the tools that its roles admit, at the same time', async () => {
        assert.equal(admin.protocol, era);
        const [forAdmin, forViewer] = await Promise.all([admin.list(), viewer.list()]);
        const names = [forAdmin, forViewer].map((tools) =>
          tools
            .map(({ name }) => name)
            .sort()
            .join(),
        );
        assert.deepEqual(names, ['getAdaptersHealth,restAction,restQuery', 'getAdaptersHealth']);
      });

      it('gives two callers at once each its own result', async () => {
        const other = await connect(server.url, server.issueTokenFor('kay', 'admin'));
        const ids = ['one', 'two', 'three', 'four'];
        const results = await Promise.all(
          ids.map((id, at) => (at % 2 === 0 ? admin : other).call('restQuery', { ...QUERY, adapterId: id })),
        );
        await other.close();
        for (const [at, { texts }] of results.entries())
          assert.match(texts.join(), new RegExp(`there is no adapter \\\\"${ids[at] ?? ''}\\\\"`));
      });

      it('calls an orchestrator with the credentials of the adapter, never with the token of the caller', async () => {
        const { isError, texts } = await admin.call('restQuery', QUERY);
        assert.equal(isError, false, texts.join());
        assert.match(texts[0] ?? '', /ietf-interfaces:interfaces/);
        const seen = JSON.stringify(server.orchestrator.requests);
        assert.ok(!seen.includes(server.issueToken('admin').slice(0, 20)));
      });

      it('refuses a tool that the roles of the caller do not admit', async () => {
        await assert.rejects(
          viewer.call('restQuery', QUERY),
          /needs one of these roles: admin|Insufficient scope/,
        );
      });

      it('refuses a tool that the settings do not offer', async () => {
        await assert.rejects(admin.call('getAdapters', {}), /There is no tool "getAdapters"/);
      });

      it('sends an allowed action', async () => {
        const { isError, texts } = await admin.call('restAction', ACTION);
        assert.equal(isError, false, texts.join());
        assert.match(texts[0] ?? '', /^\[{"result":"\d+"}\]$/);
        assert.equal(server.orchestrator.requests.at(-1)?.method, 'PATCH');
      });
    });

  it('records who called which tool, and writes one access line for it', async () => {
    const token = server.issueTokenFor('kim', 'admin');
    const client = await connectLater(server.url, token);
    await client.call('restQuery', QUERY);
    await client.close();
    const { json } = await server.call('GET /audit?subject=kim');
    const { results } = json as {
      readonly results: readonly { readonly target: string; readonly operation: string }[];
    };
    assert.deepEqual(
      results.map(({ operation, target }) => [operation, target]),
      [
        [
          'orchestrator-manager.restQuery',
          '/mcp/orchestrator_manager/restQuery/core1 GET /restconf/data/ietf-interfaces:interfaces',
        ],
      ],
    );
    const lines = server.logLines.filter((line) => line.includes('"subject":"kim"'));
    const calls = lines.filter((line) => line.includes('/mcp/orchestrator_manager/restQuery/core1'));
    assert.equal(calls.length, 1);
    assert.match(calls[0] ?? '', /"status":200/);
  });
});

describe('the entrance for agents', () => {
  let server: TestServer;
  let agent: McpClient;
  let token: string;
  before(async () => {
    server = await startTestServer({
      main: { server: 'publicUrl: "https://gatehouse.example.com"', more: 'mcp: { enabled: true }\n' },
    });
    agent = await connectLater(server.url, server.issueToken('admin'));
    token = server.issueToken('admin');
  });
  after(async () => {
    await agent.close();
    await server.close();
  });

  const post = (sent: CallOptions) => postMcp(server.url, sent);

  it('challenges a caller without a token, and publishes the metadata that the challenge names', async () => {
    const { status, headers } = await post({ body: LIST });
    assert.equal(status, 401);
    const metadata = 'https://gatehouse.example.com/.well-known/oauth-protected-resource/mcp';
    assert.match(String(headers['www-authenticate']), new RegExp(`^Bearer resource_metadata="${metadata}"`));
    const published = await request(server.url + new URL(metadata).pathname);
    const { resource } = (await published.body.json()) as { readonly resource: string };
    assert.equal(resource, 'https://gatehouse.example.com/mcp');
  });

  it('ignores cookies', async () => {
    const headers = { cookie: `gatehouse_session=${token}`, 'x-gatehouse-csrf': '1' };
    assert.equal((await post({ headers, body: LIST })).status, 401);
  });

  it('refuses a page of another site, without a challenge', async () => {
    const reply = await post({ token, headers: { origin: 'https://evil.example' }, body: LIST });
    assert.equal(reply.status, 403);
    assert.match(reply.text, /Ask the operator to/);
    assert.equal(reply.headers['www-authenticate'], undefined);
  });

  it('refuses other methods with the allowed one', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await post({ token, method });
      assert.deepEqual([status, headers['allow']], [405, 'POST'], method);
    }
  });

  const later = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const laterHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

  for (const [what, sent, status, code] of [
    ['a body that is not JSON', { text: '{"jsonrpc"' }, 400, -32_700],
    ['a batch', { body: [LIST, LIST] }, 400, -32_600],
    ['a message without jsonrpc', { body: { id: 1, method: 'tools/list' } }, 400, -32_600],
    ['a scalar', { body: 5 }, 400, -32_600],
    ['a subscription', { body: { ...LIST, method: 'subscriptions/listen' } }, 404, -32_601],
    ['an unknown version', { body: LIST, headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, -32_000],
    [
      'a method of the header that is not that of the body',
      { body: { ...LIST, params: later }, headers: { ...laterHeaders, 'mcp-method': 'tools/call' } },
      400,
      -32_020,
    ],
    [
      'an unknown method',
      { body: { ...LIST, method: 'a/b', params: later }, headers: { ...laterHeaders, 'mcp-method': 'a/b' } },
      404,
      -32_601,
    ],
  ] as const)
    it(`answers ${what} with an error of JSON-RPC`, async () => {
      const reply = await post({ token, ...sent });
      assert.equal(reply.status, status, reply.text);
      const { error } = JSON.parse(reply.text) as { readonly error: { readonly code: number } };
      assert.equal(error.code, code);
    });

  it('refuses another media type and a body over the limit', async () => {
    const headers = { 'content-type': 'text/plain' };
    assert.equal((await post({ token, headers, body: LIST })).status, 415);
    const body = { ...LIST, params: { text: 'x'.repeat(2_000_000) } };
    assert.equal((await post({ token, body })).status, 413);
  });

  it('refuses arguments as the operation refuses its parameters', async () => {
    for (const [sent, pattern] of [
      [{ ...QUERY, extra: 1 }, /\/extra is not known here/],
      [{ ...QUERY, params: { ...QUERY.params, path: '/../../etc' } }, /invalid_path/],
      [{ ...QUERY, adapterId: { toString: 1 } }, /invalid_request/],
      [{ ...QUERY, adapterId: 'core1/../../x' }, /adapter_not_found/],
    ] as const) {
      const { isError, texts } = await agent.call('restQuery', sent);
      assert.equal(isError, true);
      assert.match(texts.join(), pattern);
    }
  });
});
