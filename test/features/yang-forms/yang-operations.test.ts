import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { column } from '../../support/columns.js';
import { assertMembers } from '../../support/members.js';
import { DEMO_LIBRARY, type YangLibrary } from '../../support/restconf-double.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

const RACK = `module rack {
  yang-version 1.1; namespace "urn:rack"; prefix r;
  import demo-links { prefix l; }
  container rack { uses l:link; }
}`;

const LIBRARY = '/restconf/data/ietf-yang-library:yang-library';
const GET_SCHEMA = '/restconf/operations/ietf-netconf-monitoring:get-schema';

const MISSING_ROLE =
  /^orchestrator-manager\.restQuery needs one of these roles: admin\. The token has these roles: engineering\.$/;

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
  const convert = async (more: object = {}) => {
    const body = { adapterId: 'core1', yangData: [rack()], ...more };
    const { status, json } = await server.call('POST /json-forms/yangToSchema', { body });
    return { status, json: json as Answer, message: (json as Partial<Answer>).errors?.[0]?.message ?? '' };
  };
  const paths = () => server.orchestrator.requests.slice(requestCount).map(({ path }) => path);

  for (const form of ['yang-library', 'modules-state'] as const)
    it(`resolves imported modules, their imports and submodules from ${form}`, async () => {
      server.orchestrator.setLibrary({ ...DEMO_LIBRARY, form });
      const { status, json } = await convert();
      assert.equal(status, 200, JSON.stringify(json));
      const [links, units] = ['demo-links-groups@2026-02-01', 'demo-links@2026-02-01'];
      assert.deepEqual([...json.fetched].sort(), [links, units, 'demo-units@2026-01-01']);
      assert.match(JSON.stringify(json.schemas[0]?.schema), /"maximum":100/);
      assert.equal(json.schemas.length, 1);
    });

  for (const adapterId of ['core1', 'nobody'])
    it(`finding F6: sends no request through ${adapterId} for a caller without the role of restQuery`, async () => {
      const body = { yangData: [rack()], adapterId };
      const asked = { roles: ['engineering'], body };
      const { status, json } = await server.call('POST /json-forms/task/RenderYangForm', asked);
      assertMembers({ status, json }, { status: 403, json: { code: 'forbidden', detail: MISSING_ROLE } });
      assert.deepEqual(paths(), []);
    });

  it('fetches each module once and the library for every call', async () => {
    await convert();
    requestCount = server.orchestrator.requests.length;
    await convert();
    assert.deepEqual(paths(), [LIBRARY]);
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
    assert.deepEqual([status, json.code], [400, 'yang_invalid']);
    const messages = column(json.errors, 'message').join('\n');
    for (const name of ['gone', 'demo-units@1999-01-01', 'demo-units', 'demo-links-groups'])
      assert.match(messages, new RegExp(`"${name}" is missing.*; "core1" does not list it`));
  });

  const absent = '"core1" answers 404';
  for (const [url, expected, ...requested] of [
    // It asks the orchestrator of the adapter for a URL of another host, and nobody for one of another protocol.
    ['https://elsewhere.example/demo.yang', `${absent} at /demo.yang`, '/demo.yang'],
    ['file:///etc/passwd', 'lists it at file:///etc/passwd, which is no HTTP URL'],
    [null, `lists it without a URL; ${absent} at ${GET_SCHEMA}`],
  ] as const)
    it(`reports a module with the URL ${url} on a server without get-schema`, async () => {
      server.orchestrator.setLibrary(withUrls(url));
      const { status, message } = await convert();
      assert.equal(status, 400);
      assert.ok(message.includes(expected), message);
      assert.deepEqual(paths(), [LIBRARY, ...requested, GET_SCHEMA]);
    });

  it('reports an orchestrator without a YANG library, also if the access rules admit no other list', async () => {
    server.orchestrator.setLibrary({ form: 'none', modules: [] });
    const { status, message } = await convert();
    assert.equal(status, 400);
    assert.match(message, /"core1" answers 404 for its YANG library/);
    const others = ['ietf-yang-library:modules-state', 'ietf-netconf-monitoring:netconf-state/schemas'];
    assert.deepEqual(paths(), [LIBRARY, ...others.map((name) => `/restconf/data/${name}`)]);
    const listed = await convert({ adapterId: 'listed' });
    assert.match(listed.message, /"listed" answers 404 for its YANG library/);
  });

  it('rejects a mount without an adapter, and a mount that is no data resource', async () => {
    const noResource = /must be the path of a RESTCONF data resource/;
    for (const [mount, expected, adapterId] of [
      ['/rests/data', /needs adapterId/, undefined],
      ['/rests', noResource, 'core1'],
      ['/rests/data?depth=1', noResource, 'core1'],
      ['/rests/database', noResource, 'core1'],
      // A pattern with nested repetition would read this text once for each of its segments.
      [`${'/data'.repeat(40_000)}?`, /./, 'core1'],
    ] as const) {
      const { status, json, message } = await convert({ mount, adapterId });
      assert.deepEqual([status, json.code, json.errors[0]?.pointer], [400, 'invalid_request', '/mount']);
      assert.match(message, expected);
    }
  });

  it('reports faults of fetched modules by module name and adapter', async () => {
    const text = 'module demo-links { namespace "urn:l"; prefix l; revision 2026-03-01; leaf a } }';
    const modules = [{ name: 'demo-links', revision: '2026-03-01', text }];
    server.orchestrator.setLibrary({ form: 'yang-library', modules });
    const { json } = await convert();
    assert.match(JSON.stringify(json.errors), /demo-links@2026-03-01 of core1:1:\d+: /);
  });

  it('obeys the access rules of the adapter and rejects an unknown adapter', async () => {
    const guarded = await convert({ adapterId: 'guarded' });
    assert.equal(guarded.json.code, 'adapter_forbidden');
    const partly = await convert({ adapterId: 'partly' });
    assert.match(partly.message, /access rules do not admit GET/);
    assert.equal(paths().filter((path) => path.startsWith('/restconf/yang/')).length, 0);
    const unknown = await convert({ adapterId: 'nobody' });
    assert.equal(unknown.json.code, 'adapter_not_found');
  });

  it('writes an audit record that names the adapter', async () => {
    await convert();
    const { text } = await server.call('GET /audit?limit=1');
    assert.match(text, /yangToSchema core1/);
    assert.match(text, /1 schemas, 3 modules fetched/);
  });
});
