import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { MOUNT, type OpenDaylightDouble, startOpenDaylight } from '../support/opendaylight-double.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const LIBRARY = '/restconf/data/ietf-yang-library:yang-library';
const IMPORT = (module: string) => `module top { namespace "urn:top"; prefix t; import ${module} { prefix x; }
  container top { leaf load { type x:load; } } }`;

interface Answer {
  readonly code: string;
  readonly detail: string;
  readonly reason?: string;
  readonly connection: { readonly state: string };
  readonly schemas: readonly {
    readonly schema: object;
    readonly warnings: readonly { readonly message: string }[];
  }[];
  readonly fetched: readonly string[];
  readonly errors: readonly { readonly message: string }[];
}

describe('gatehouse with OpenDaylight', () => {
  let odl: OpenDaylightDouble;
  let server: TestServer;
  let clock: FakeScheduler;
  const password = randomBytes(12).toString('hex');

  before(async () => {
    odl = await startOpenDaylight(`admin:${password}`);
    odl.setPhase('missing');
    clock = createFakeScheduler(Date.now());
    const auth = 'auth: { type: basic, username: admin, password: $VAULT_adapters/odl#password }';
    const health = 'health: { path: /rests/yang-library-version, intervalSeconds: 5 }';
    server = await startTestServer({
      clock,
      adapters: {
        odl: `plugin: restconf\nbaseUrl: ${odl.url}\n${auth}\n${health}\n`,
        raw: `plugin: http-rest\nbaseUrl: ${odl.url}\n${auth}\n`,
      },
      secrets: { 'adapters/odl': { password } },
    });
  });
  after(async () => {
    await server.close();
    await odl.close();
  });

  const call = async (path: `/${string}`, body?: object) => {
    const { status, json } = await server.call(`${body ? 'POST' : 'GET'} ${path}`, { body });
    return { status, json: json as Answer };
  };
  const query = async () => {
    const { status, json } = await server.query('odl', { path: LIBRARY });
    return { status, json: json as Answer };
  };
  const convert = (body: object) => call('/json-forms/yangToSchema', body);
  const health = async () => (await call('/health/adapters/odl')).json;

  it('asks for the root until the controller has started (finding 1: it kept /restconf for good)', async () => {
    const missing = await query();
    assert.deepEqual([missing.status, missing.json.code], [503, 'adapter_unavailable']);
    assert.match(
      missing.json.detail,
      /no RESTCONF root was found.*404 to \/rests\/yang-library-version.*option 'root'/,
    );
    // Finding 4: the health shows the same sentence.
    assert.match((await health()).reason ?? '', /no RESTCONF root was found.*option 'root'/);
    odl.setPhase('refusing');
    await clock.pass(1_000);
    assert.match((await query()).json.detail, /credentials refused: the orchestrator answered 401/);
    assert.match((await health()).reason ?? '', /credentials refused/);
    odl.setPhase('ready');
    await clock.pass(10_000);
    assert.equal((await query()).status, 200);
    assert.ok(odl.requests.includes('GET /rests/data/ietf-yang-library:yang-library'));
    assert.deepEqual((await health()).connection, { state: 'ONLINE' });
  });

  it('fetches modules of a mounted device by get-schema (finding 5)', async () => {
    for (const [adapterId, mount] of [
      ['odl', `/restconf/data/${MOUNT}`],
      ['odl', `/data/${MOUNT}/acme:system/`],
      ['raw', `/rests/data/${MOUNT}`],
    ] as const) {
      const { status, json } = await convert({ yangData: [IMPORT('acme-types')], adapterId, mount });
      assert.equal(status, 200, JSON.stringify(json));
      assert.match(JSON.stringify(json.schemas[0]?.schema), /"maximum":7\b/);
    }
    const before = odl.requests.length;
    await convert({ yangData: [IMPORT('acme-types')], adapterId: 'odl', mount: `/restconf/data/${MOUNT}` });
    assert.deepEqual(
      odl.requests.slice(before).filter((request) => request.startsWith('POST')),
      [],
    );
  });

  it('compiles faulty modules of the controller with lenient (observation 8)', async () => {
    const text =
      'module top { namespace "urn:top"; prefix t; import acme-optional { prefix o; } leaf a { type string; } }';
    const strict = await convert({ yangData: [text], adapterId: 'odl' });
    assert.deepEqual([strict.status, strict.json.errors.length], [400, 2]);
    const { status, json } = await convert({ yangData: [text], adapterId: 'odl', lenient: true });
    assert.equal(status, 200, JSON.stringify(json));
    const warnings = json.schemas[0]?.warnings.map(({ message }) => message) ?? [];
    assert.match(
      warnings.join('\n'),
      /tolerated: acme-optional@2024-05-01 of odl:4:3: "import" is not allowed after/,
    );
    assert.match(warnings.join('\n'), /tolerated: acme-optional@2024-05-01 of odl:7:3: augment: /);
  });
});
