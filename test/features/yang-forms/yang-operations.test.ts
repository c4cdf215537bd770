import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { DEMO_LIBRARY, type YangLibrary } from '../../support/restconf-double.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

const RACK = `module rack {
  yang-version 1.1; namespace "urn:rack"; prefix r;
  import demo-links { prefix l; }
  container rack { uses l:link; }
}`;

const GET_SCHEMA = '/restconf/operations/ietf-netconf-monitoring:get-schema';

const adapterFile = (url: string) => `plugin: restconf
baseUrl: ${url}
options: { root: /restconf }
auth: { type: basic, username: gatehouse, password: $VAULT_adapters/core1#password }
tls: { caFile: ../orchestrator-ca.pem }
`;

interface Answer {
  readonly code: string;
  readonly detail: string;
  readonly schemas: readonly { readonly schema: object }[];
  readonly fetched: readonly string[];
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

const withUrls = (url: string | null): YangLibrary => ({
  ...DEMO_LIBRARY,
  modules: DEMO_LIBRARY.modules.map((module) => ({ ...module, url })),
});

describe('yangToSchema with an adapter', () => {
  let server: TestServer;
  let requestCount = 0;
  before(async () => {
    server = await startTestServer();
    const { url } = server.orchestrator;
    for (const [name, path] of [
      ['guarded', '/restconf/data/ietf-interfaces:interfaces'],
      ['partly', '/restconf/data/*'],
      ['listed', '/restconf/data/ietf-yang-library:*'],
    ] as const)
      writeFileSync(
        join(server.configPath, '..', 'adapters', `${name}.yaml`),
        `${adapterFile(url)}access: [{ methods: [GET], paths: ["${path}"] }]\n`,
      );
    assert.deepEqual(await server.running.reload(), []);
  });
  beforeEach(() => {
    server.orchestrator.setLibrary(DEMO_LIBRARY);
    requestCount = server.orchestrator.requests.length;
  });
  after(() => server.close());

  /** A module with a new name is a new compilation, for which no cached result exists. */
  let moduleCount = 0;
  const rack = () => RACK.replace('module rack', `module rack${(moduleCount += 1)}`);
  const convert = async (body: object) => {
    const { status, json } = await callUrl(`${server.url}/json-forms/yangToSchema`, {
      token: server.issueToken('admin'),
      body: { adapterId: 'core1', ...body },
    });
    return { status, json: json as Answer };
  };
  const paths = () => server.orchestrator.requests.slice(requestCount).map(({ path }) => path);

  for (const form of ['yang-library', 'modules-state'] as const)
    it(`resolves imported modules, their imports and submodules from ${form}`, async () => {
      server.orchestrator.setLibrary({ ...DEMO_LIBRARY, form });
      const { status, json } = await convert({ yangData: [rack()] });
      assert.equal(status, 200, JSON.stringify(json));
      assert.deepEqual([...json.fetched].sort(), [
        'demo-links-groups@2026-02-01',
        'demo-links@2026-02-01',
        'demo-units@2026-01-01',
      ]);
      assert.match(JSON.stringify(json.schemas[0]?.schema), /"maximum":100/);
      assert.equal(json.schemas.length, 1);
    });

  for (const adapterId of ['core1', 'nobody'])
    it(`finding F6: sends no request through ${adapterId} for a caller without the role of restQuery`, async () => {
      const { status, json } = await callUrl(`${server.url}/json-forms/task/RenderYangForm`, {
        token: server.issueToken('engineering'),
        body: { yangData: [rack()], adapterId },
      });
      const { code, detail } = json as Answer;
      assert.deepEqual(
        [status, code, detail],
        [
          403,
          'forbidden',
          'orchestrator-manager.restQuery needs one of these roles: admin. The token has these roles: engineering.',
        ],
      );
      assert.deepEqual(paths(), []);
    });

  it('fetches each module once and the library for every call', async () => {
    await convert({ yangData: [rack()] });
    requestCount = server.orchestrator.requests.length;
    await convert({ yangData: [rack()] });
    assert.deepEqual(paths(), ['/restconf/data/ietf-yang-library:yang-library']);
  });

  it('sends no request when no module is missing', async () => {
    const { status } = await convert({ yangData: ['module m { namespace "urn:m"; prefix m; }'] });
    assert.equal(status, 200);
    assert.deepEqual(paths(), []);
  });

  it('reports every module that is still missing, with the reason', async () => {
    const text = `module needy { namespace "urn:n"; prefix n;
  import gone { prefix g; } import demo-units { prefix u; revision-date 1999-01-01; } import demo-links { prefix l; } }`;
    const links = DEMO_LIBRARY.modules.filter(({ name }) => name === 'demo-links');
    server.orchestrator.setLibrary({ ...DEMO_LIBRARY, modules: links });
    const { status, json } = await convert({ yangData: [text] });
    assert.equal(status, 400);
    assert.equal(json.code, 'yang_invalid');
    const messages = json.errors.map(({ message }) => message).join('\n');
    for (const name of ['gone', 'demo-units@1999-01-01', 'demo-units', 'demo-links-groups'])
      assert.match(messages, new RegExp(`"${name}" is missing.*; "core1" does not list it`));
  });

  it('requests a URL of another host from the orchestrator of the adapter', async () => {
    server.orchestrator.setLibrary(withUrls('https://elsewhere.example/demo.yang'));
    const { status, json } = await convert({ yangData: [rack()] });
    assert.equal(status, 400);
    assert.match(json.errors[0]?.message ?? '', /"core1" answers 404 at \/demo\.yang/);
    assert.ok(paths().includes('/demo.yang'));
  });

  it('requests nothing for a URL of another protocol and reports the URL', async () => {
    const url = 'file:///etc/passwd';
    server.orchestrator.setLibrary(withUrls(url));
    const { status, json } = await convert({ yangData: [rack()] });
    assert.equal(status, 400);
    assert.ok(json.errors[0]?.message.includes(`lists it at ${url}, which is no HTTP URL`), json.detail);
    assert.deepEqual(paths(), ['/restconf/data/ietf-yang-library:yang-library', GET_SCHEMA]);
  });

  it('reports a module that the library lists without a URL, on a server without get-schema', async () => {
    server.orchestrator.setLibrary(withUrls(null));
    const { json } = await convert({ yangData: [rack()] });
    assert.match(
      json.errors[0]?.message ?? '',
      /lists it without a URL; "core1" answers 404 at \/restconf\/operations\/ietf-netconf-monitoring:get-schema/,
    );
  });

  it('reports an orchestrator without a YANG library', async () => {
    server.orchestrator.setLibrary({ form: 'none', modules: [] });
    const { status, json } = await convert({ yangData: [rack()] });
    assert.equal(status, 400);
    assert.match(json.errors[0]?.message ?? '', /"core1" answers 404 for its YANG library/);
    assert.deepEqual(paths(), [
      '/restconf/data/ietf-yang-library:yang-library',
      '/restconf/data/ietf-yang-library:modules-state',
      '/restconf/data/ietf-netconf-monitoring:netconf-state/schemas',
    ]);
  });

  it('reports a missing YANG library also if the access rules admit no other list', async () => {
    server.orchestrator.setLibrary({ form: 'none', modules: [] });
    const { json } = await convert({ yangData: [rack()], adapterId: 'listed' });
    assert.match(json.errors[0]?.message ?? '', /"listed" answers 404 for its YANG library/);
  });

  it('rejects a mount without an adapter, and a mount that is no data resource', async () => {
    for (const [body, message] of [
      [{ adapterId: undefined, mount: '/rests/data' }, /needs adapterId/],
      [{ mount: '/rests' }, /must be the path of a RESTCONF data resource/],
      [{ mount: '/rests/data?depth=1' }, /must be the path of a RESTCONF data resource/],
      [{ mount: '/rests/database' }, /must be the path of a RESTCONF data resource/],
      // A pattern with nested repetition would read this text once for each of its segments.
      [{ mount: `${'/data'.repeat(40_000)}?` }, /./],
    ] as const) {
      const { status, json } = await convert({ yangData: [rack()], ...body });
      assert.deepEqual([status, json.code, json.errors[0]?.pointer], [400, 'invalid_request', '/mount']);
      assert.match(json.errors[0]?.message ?? '', message);
    }
  });

  it('reports faults of fetched modules by module name and adapter', async () => {
    const text = 'module demo-links { namespace "urn:l"; prefix l; revision 2026-03-01; leaf a } }';
    server.orchestrator.setLibrary({
      form: 'yang-library',
      modules: [{ name: 'demo-links', revision: '2026-03-01', text }],
    });
    const { json } = await convert({ yangData: [rack()] });
    assert.match(JSON.stringify(json.errors), /demo-links@2026-03-01 of core1:1:\d+: /);
  });

  it('obeys the access rules of the adapter and rejects an unknown adapter', async () => {
    const guarded = await convert({ yangData: [rack()], adapterId: 'guarded' });
    assert.equal(guarded.json.code, 'adapter_forbidden');
    const partly = await convert({ yangData: [rack()], adapterId: 'partly' });
    assert.match(partly.json.errors[0]?.message ?? '', /access rules do not admit GET/);
    assert.equal(paths().filter((path) => path.startsWith('/restconf/yang/')).length, 0);
    const unknown = await convert({ yangData: [rack()], adapterId: 'nobody' });
    assert.equal(unknown.json.code, 'adapter_not_found');
  });

  it('writes an audit record that names the adapter', async () => {
    await convert({ yangData: [rack()] });
    const { json } = await callUrl(`${server.url}/audit?limit=1`, {
      token: server.issueToken('admin'),
      method: 'GET',
    });
    assert.match(JSON.stringify(json), /yangToSchema core1/);
    assert.match(JSON.stringify(json), /1 schemas, 3 modules fetched/);
  });
});
