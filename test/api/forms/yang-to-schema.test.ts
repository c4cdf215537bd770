import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { column } from '../../support/columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

const TYPES = `module types {
  namespace "urn:types"; prefix t; revision 2026-01-01;
  typedef port { type uint16 { range "1..65535"; } }
}`;
const SITE = `module site {
  yang-version 1.1; namespace "urn:site"; prefix s;
  import types { prefix t; }
  feature extra;
  container site {
    leaf name { type string; mandatory true; }
    leaf port { type t:port; }
    leaf more { if-feature extra; type string; }
  }
}`;

interface Schema {
  readonly module: string;
  readonly schema: {
    readonly $schema: string;
    readonly properties: Readonly<Record<string, { readonly properties: object }>>;
  };
}

describe('yangToSchema', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder) => {
        mkdirSync(join(folder, 'yang'));
        writeFileSync(join(folder, 'yang', 'types@2026-01-01.yang'), TYPES);
        const main = join(folder, 'gatehouse.yaml');
        writeFileSync(main, `${readFileSync(main, 'utf8')}forms: { yangPath: [yang] }\n`);
      },
    });
  });
  after(() => server.close());

  const convert = (body: object) =>
    callUrl(`${server.url}/json-forms/yangToSchema`, { token: server.issueToken('admin'), body });

  it('returns a schema for each main module and finds imports in the request or in the YANG folders', async () => {
    for (const yangData of [[SITE], [SITE, TYPES]]) {
      const { status, json } = await convert({ yangData });
      assert.equal(status, 200);
      const { schemas } = json as { schemas: readonly Schema[] };
      assert.equal(schemas[0]?.module, 'site');
      assert.deepEqual(Object.keys(schemas[0].schema.properties['site:site']?.properties ?? {}), [
        'name',
        'port',
        'more',
      ]);
    }
  });

  it('applies the features and the draft of the request', async () => {
    const { json } = await convert({ yangData: [SITE], features: { site: [] }, draft: '07' });
    const [site] = (json as { schemas: readonly Schema[] }).schemas;
    assert.match(site?.schema.$schema ?? '', /draft-07/);
    assert.deepEqual(Object.keys(site?.schema.properties['site:site']?.properties ?? {}), ['name', 'port']);
  });

  it('returns the schema of a node, of an operation input and of state data', async () => {
    const text = `module ops { yang-version 1.1; namespace "urn:ops"; prefix o;
      container c { leaf a { type string; } leaf b { config false; type string; } }
      rpc go { input { leaf far { type int8; } } } }`;
    const schemaOf = async (more: object) => {
      const { status, json } = await convert({ yangData: [text], ...more });
      assert.equal(status, 200);
      return JSON.stringify((json as { schemas: readonly Schema[] }).schemas[0]?.schema.properties);
    };
    assert.match(await schemaOf({ target: 'rpc:go/input' }), /^\{"ops:input":.*"far"/);
    assert.match(await schemaOf({ path: '/ops:c/a' }), /^\{"ops:a":/);
    assert.match(await schemaOf({ content: 'all' }), /"readOnly":true/);
    assert.doesNotMatch(await schemaOf({}), /"b"/);
  });

  it('applies the deviations of a module that no other module imports', async () => {
    const odd = `module odd { namespace "urn:odd"; prefix o; import site { prefix s; }
      deviation /s:site/s:port { deviate not-supported; } }`;
    const [site] = ((await convert({ yangData: [SITE, odd] })).json as { schemas: readonly Schema[] })
      .schemas;
    assert.deepEqual(Object.keys(site?.schema.properties['site:site']?.properties ?? {}), ['name', 'more']);
    const { status } = await convert({ yangData: [SITE], deviations: ['nowhere'] });
    assert.equal(status, 400);
  });

  it('reports every fault with its text, line and column', async () => {
    const { status, json } = await convert({
      yangData: [TYPES, 'module broken {\n  leaf a { type string; }\n}'],
    });
    assert.equal(status, 400);
    const { code, errors } = json as {
      code: string;
      errors: readonly { pointer: string; message: string }[];
    };
    assert.equal(code, 'yang_invalid');
    assert.ok(errors.length > 0);
    for (const { pointer, message } of errors) {
      assert.equal(pointer, '/yangData/1');
      assert.match(message, /^\d+:\d+: /);
    }
  });

  it('accepts a request that is larger than the limit of other bodies', async () => {
    const comment = `/* ${'x'.repeat(2 * 1024 * 1024)} */`;
    const { status, json } = await convert({ yangData: [`${comment} ${SITE}`] });
    assert.equal(status, 200);
    assert.equal((json as { schemas: readonly Schema[] }).schemas[0]?.module, 'site');
    const decoded = await callUrl(`${server.url}/json-forms/decode`, {
      token: server.issueToken('admin'),
      body: { jsonSchema: { description: comment } },
    });
    assert.equal(decoded.status, 413);
  });

  it('returns the schemas compressed, if the caller accepts that', async () => {
    const { headers, json } = await callUrl(`${server.url}/json-forms/yangToSchema`, {
      token: server.issueToken('admin'),
      body: {
        yangData: [SITE.replace('type string;', `type string; description "${'a site '.repeat(500)}";`)],
      },
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal((json as { schemas: readonly Schema[] }).schemas[0]?.module, 'site');
  });
});

describe('yangToSchema with forms.yang.maxBytes', () => {
  it('refuses a request that is larger', async () => {
    const server = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder) => {
        const main = join(folder, 'gatehouse.yaml');
        writeFileSync(main, `${readFileSync(main, 'utf8')}forms: { yang: { maxBytes: 2000000 } }\n`);
      },
    });
    try {
      const sizes = [1_500_000, 2_500_000].map((length) => `/* ${'x'.repeat(length)} */ ${TYPES}`);
      const replies = sizes.map((text) =>
        callUrl(`${server.url}/json-forms/yangToSchema`, {
          token: server.issueToken('admin'),
          body: { yangData: [text] },
        }),
      );
      assert.deepEqual(column(await Promise.all(replies), 'status'), [200, 413]);
    } finally {
      await server.close();
    }
  });
});
