import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { MOUNT, type OpenDaylightDouble, startOpenDaylight } from '../support/opendaylight-double.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const IMPORT = (module: string) => `module top { namespace "urn:top"; prefix t; import ${module} { prefix x; }
  container top { leaf load { type x:load; } } }`;

interface Answer {
  readonly schemas: readonly {
    readonly schema: object;
    readonly warnings: readonly { readonly message: string }[];
  }[];
  readonly errors: readonly { readonly message: string }[];
}

describe('gatehouse with OpenDaylight', () => {
  let odl: OpenDaylightDouble;
  let server: TestServer;
  const password = randomBytes(12).toString('hex');

  before(async () => {
    odl = await startOpenDaylight(`admin:${password}`);
    const auth = 'auth: { type: basic, username: admin, password: $VAULT_adapters/odl#password }';
    server = await startTestServer({
      adapters: {
        odl: `plugin: restconf\nbaseUrl: ${odl.url}\n${auth}\n`,
        raw: `plugin: http-rest\nbaseUrl: ${odl.url}\n${auth}\n`,
      },
      secrets: { 'adapters/odl': { password } },
    });
  });
  after(async () => {
    await server.close();
    await odl.close();
  });

  const convert = async (body: object) => {
    const { status, json } = await server.call('POST /json-forms/yangToSchema', { body });
    return { status, json: json as Answer };
  };

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
