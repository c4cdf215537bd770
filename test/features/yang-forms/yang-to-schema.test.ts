import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/json/json-object.js';
import { valueAt } from '../../../src/json/pointer.js';
import { column } from '../../support/columns.js';
import { openedByTest } from '../../support/opened.js';
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

interface Answer {
  readonly schemas: readonly { readonly module: string; readonly schema: JsonObject }[];
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

/** Starts a server with more settings in its main file. */
function startWith(settings: string): Promise<TestServer> {
  return startTestServer({
    arrange: (folder) => {
      mkdirSync(join(folder, 'yang'));
      writeFileSync(join(folder, 'yang', 'types@2026-01-01.yang'), TYPES);
      appendFileSync(join(folder, 'gatehouse.yaml'), `${settings}\n`);
    },
  });
}

async function convertAt(server: TestServer, body: object, headers: Record<string, string> = {}) {
  const reply = await server.call('POST /json-forms/yangToSchema', { body, headers });
  const { schemas: [first] = [], code, errors } = reply.json as Partial<Answer>;
  const members = valueAt(first?.schema, '/properties/site:site/properties');
  return { ...reply, first, code, errors, members: Object.keys(members ?? {}) };
}

describe('yangToSchema', () => {
  let server: TestServer;
  before(async () => (server = await startWith('forms: { yangPath: [yang] }')));
  after(() => server.close());

  const convert = (body: object, headers = {}) => convertAt(server, body, headers);

  it('returns a schema for each main module and finds imports in the request or in the YANG folders', async () => {
    for (const yangData of [[SITE], [SITE, TYPES]]) {
      const { status, first, members } = await convert({ yangData });
      assert.deepEqual([status, first?.module, members], [200, 'site', ['name', 'port', 'more']]);
    }
  });

  it('applies the features and the draft of the request', async () => {
    const { first, members } = await convert({ yangData: [SITE], features: { site: [] }, draft: '07' });
    assert.match(String(first?.schema['$schema']), /draft-07/);
    assert.deepEqual(members, ['name', 'port']);
  });

  it('refuses a feature and a module that do not take part, with their places in the request', async () => {
    const misspelled = /the module "site" has no feature "extras"; did you mean "extra"\?/;
    for (const [features, pointer, message] of [
      [{ site: ['extra', 'extras'] }, '/features/site/1', misspelled],
      [{ nomodule: [] }, '/features/nomodule', /no module "nomodule" takes part/],
    ] as const) {
      const { status, code, errors } = await convert({ yangData: [SITE], features });
      assert.deepEqual([status, code], [400, 'invalid_request']);
      assert.equal(errors?.[0]?.pointer, pointer);
      assert.match(errors[0].message, message);
    }
  });

  it('returns the schema of a node, of an operation input and of state data', async () => {
    const text = `module ops { yang-version 1.1; namespace "urn:ops"; prefix o;
      container c { leaf a { type string; } leaf b { config false; type string; } }
      rpc go { input { leaf far { type int8; } } } }`;
    const schemaOf = async (more: object) => {
      const { status, first } = await convert({ yangData: [text], ...more });
      assert.equal(status, 200);
      return JSON.stringify(first?.schema['properties']);
    };
    assert.match(await schemaOf({ target: 'rpc:go/input' }), /^\{"ops:input":.*"far"/);
    assert.match(await schemaOf({ path: '/ops:c/a' }), /^\{"ops:a":/);
    assert.match(await schemaOf({ content: 'all' }), /"readOnly":true/);
    assert.doesNotMatch(await schemaOf({}), /"b"/);
  });

  it('applies the deviations of a module that no other module imports', async () => {
    const odd = `module odd { namespace "urn:odd"; prefix o; import site { prefix s; }
      deviation /s:site/s:port { deviate not-supported; } }`;
    assert.deepEqual((await convert({ yangData: [SITE, odd] })).members, ['name', 'more']);
    assert.equal((await convert({ yangData: [SITE], deviations: ['nowhere'] })).status, 400);
  });

  it('reports every fault with its text, line and column', async () => {
    const broken = 'module broken {\n  leaf a { type string; }\n}';
    const { status, code, errors = [] } = await convert({ yangData: [TYPES, broken] });
    assert.deepEqual([status, code], [400, 'yang_invalid']);
    assert.ok(errors.length > 0);
    for (const { pointer, message } of errors) {
      assert.equal(pointer, '/yangData/1');
      assert.match(message, /^\d+:\d+: /);
    }
  });

  it('accepts a request that is larger than the limit of other bodies', async () => {
    const comment = `/* ${'x'.repeat(2 * 1024 * 1024)} */`;
    const { status, first } = await convert({ yangData: [`${comment} ${SITE}`] });
    assert.deepEqual([status, first?.module], [200, 'site']);
    const decoded = { jsonSchema: { description: comment } };
    assert.equal((await server.call('POST /json-forms/decode', { body: decoded })).status, 413);
  });

  it('returns the schemas compressed, if the caller accepts that', async () => {
    const long = SITE.replace('type string;', `type string; description "${'a site '.repeat(500)}";`);
    const { headers, first } = await convert({ yangData: [long] }, { 'accept-encoding': 'gzip' });
    assert.deepEqual([headers['content-encoding'], first?.module], ['gzip', 'site']);
  });
});

describe('yangToSchema with forms.yang.maxBytes', () => {
  const opened = openedByTest();

  it('refuses a request that is larger', async () => {
    const server = await opened(startWith('forms: { yang: { maxBytes: 2000000 } }'));
    const sizes = [1_500_000, 2_500_000].map((length) => `/* ${'x'.repeat(length)} */ ${TYPES}`);
    const replies = sizes.map((text) => convertAt(server, { yangData: [text] }));
    assert.deepEqual(column(await Promise.all(replies), 'status'), [200, 413]);
  });
});
