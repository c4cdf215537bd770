import assert from 'node:assert/strict';
import { catalogueSchema, completeAdapterSchema, validateAdapter } from '../../src/config/adapter-schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';

const BASE = { plugin: 'p', baseUrl: 'http://a' };
const STEP = { request: { path: '/login' } };
const access = (rule: object) => ({ access: [rule] });
const oauth = (more: object) => ({
  auth: { type: 'oauth2', tokenUrl: 'https://a/t', clientId: 'i', ...more },
});
const login = (more: object) => ({ auth: { type: 'login', steps: [STEP], ...more } });
const request = (more: object) => login({ steps: [{ request: { path: '/', ...more } }] });

function faultsOf(written: WrittenAdapter): readonly string[] {
  return validateAdapter(structuredClone(written), compileSchema).violations.map(({ pointer }) => pointer);
}

describe('the adapter schema', () => {
  it('accepts or rejects each case', () => {
    for (const [title, more, ...pointers] of [
      ['one base URL', {}],
      ['retries of methods that change state', { retry: { methods: ['GET', 'POST'] } }, '/retry/methods/1'],
      ['retries of a success', { retry: { statuses: [200] } }, '/retry/statuses/0'],
      ['no attempt at all', { retry: { attempts: 0 } }, '/retry/attempts'],
      ['a queue without waiting requests', { queue: { concurrent: 1, waiting: 0 } }],
      ['a queue without concurrent requests', { queue: { concurrent: 0 } }, '/queue/concurrent'],
      ['a disabled breaker', { breaker: { failures: 0 } }],
      ['a health path', { health: { type: 'startup', path: '/x', intervalSeconds: 5 } }],
      ['a health path without a leading slash', { health: { path: 'x' } }, '/health/path'],
      ['a proxy', { proxy: 'http://proxy:3128' }],
      ['a proxy with a password', { proxy: 'http://u:p@proxy:3128' }, '/proxy'],
      ['access rules', access({ roles: ['r'], methods: ['GET'], paths: ['/a/**'] })],
      ['an empty access rule', access({}), '/access/0'],
      ['an access rule with an empty list, which admits no caller', access({ roles: [] }), '/access/0/roles'],
      ['an access rule for a method in lower case', access({ methods: ['get'] }), '/access/0/methods/0'],
      ['an access rule for a query', access({ paths: ['/a?b'] }), '/access/0/paths/0'],
      ['a misspelled rule', access({ role: ['r'] }), '/access/0/role'],
      ['a parameter as credentials', { auth: { type: 'query', name: 'k', value: 'v' } }],
      ['a parameter that needs encoding', { auth: { type: 'query', name: 'k&', value: 'v' } }, '/auth/name'],
      ['OAuth 2.0', oauth({ clientSecret: 's' })],
      ['OAuth 2.0 without a secret', oauth({}), '/auth/clientSecret'],
      ['a URL with credentials', oauth({ clientSecret: 's', tokenUrl: 'https://u:p@a/t' }), '/auth/tokenUrl'],
      ['a login', login({})],
      ['a login without steps', login({ steps: [] }), '/auth/steps'],
      ['a login with two bodies', request({ body: {}, form: {} }), '/auth/steps/0/request/body'],
      ['a connection header', request({ headers: { Host: 'x' } }), '/auth/steps/0/request/headers/Host'],
      ['an unknown source', login({ steps: [{ ...STEP, take: { t: 'token' } }] }), '/auth/steps/0/take/t'],
      ['a header without a name', login({ apply: { header: '{t}' } }), '/auth/apply/header'],
      [
        'a login that applies a connection header',
        login({ apply: { headers: { Connection: 'x' } } }),
        '/auth/apply/headers/Connection',
      ],
      ['a lifetime with a unit', login({ expiresIn: '1h' }), '/auth/expiresIn'],
      ['a further header of replies', { replyHeaders: ['X-Device-State'] }],
      ['a session for callers', { replyHeaders: ['etag', 'set-cookie'] }, '/replyHeaders/1'],
      ['a header that steers nginx', { replyHeaders: ['X-Accel-Redirect'] }, '/replyHeaders/0'],
      ['a beginning of header names', { replyHeaders: ['x-*'] }, '/replyHeaders/0'],
      ['a renewal on success', login({ refreshOn: [200] }), '/auth/refreshOn/0'],
    ] as readonly (readonly [string, WrittenAdapter, ...string[]])[])
      assert.deepEqual(faultsOf({ ...BASE, ...more }), pointers, title);
  });

  it('requires either baseUrl or baseUrls', () => {
    assert.deepEqual(faultsOf({ plugin: 'p' }), ['/baseUrl']);
    assert.deepEqual(faultsOf({ ...BASE, baseUrls: ['http://a'] }), ['/baseUrl']);
    assert.deepEqual(faultsOf({ plugin: 'p', baseUrls: ['http://a', 'https://b/c'] }), []);
    assert.deepEqual(faultsOf({ plugin: 'p', baseUrls: [] }), ['/baseUrls']);
    assert.deepEqual(faultsOf({ plugin: 'p', baseUrls: ['http://a', 'ftp://b'] }), ['/baseUrls/1']);
  });

  it('marks every text of a login that can be a secret', () => {
    const request = {
      path: '/login',
      headers: { 'X-Key': 'a' },
      basic: { username: 'b', password: 'c' },
      body: { d: 'd', deep: [{ e: 'e', f: [['f']] }], n: 1, b: true, none: null },
    };
    const form = { path: '/more', form: { g: 'g' } };
    const auth = { type: 'login', steps: [{ request }, { request: form }] };
    const { secrets } = validateAdapter(structuredClone({ ...BASE, auth }), compileSchema);
    assert.equal(secrets.length, 7);
    const settings = adapterSettings({ ...BASE, auth });
    assert.doesNotMatch(JSON.stringify(settings.auth), /"[a-g]"[^:]/);
  });
});

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

interface Completed {
  readonly $schema: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const complete = (options: Readonly<Record<string, unknown>>): Completed =>
  completeAdapterSchema(options) as unknown as Completed;

describe('the schema of an adapter as clients send it', () => {
  it('has the schema of its plugin in the place of the options, and its draft', () => {
    const { $schema, properties } = complete({
      $schema: 'http://draft',
      properties: { a: { type: 'string' } },
    });
    assert.equal($schema, 'http://draft');
    assert.deepEqual(properties['options']?.['properties'], { a: { type: 'string' } });
    assert.equal(complete({}).$schema, DRAFT);
  });

  it('refers to parts of that schema where they are now, and to nothing else otherwise', () => {
    const parts = [{ $ref: '#' }, { $ref: '#/$defs/x' }, { $ref: '#x' }, { $ref: 'other#/a' }, { $ref: 1 }];
    const { properties } = complete({ anyOf: parts, not: null });
    assert.deepEqual(properties['options']?.['anyOf'], [
      { $ref: '#/properties/options' },
      { $ref: '#/properties/options/$defs/x' },
      { $ref: '#x' },
      { $ref: 'other#/a' },
      { $ref: 1 },
    ]);
    assert.equal(properties['options']['not'], null);
  });

  it('leaves out what stands elsewhere in what they send', () => {
    const { properties, required } = complete({});
    for (const key of ['plugin', 'brokers', 'groups', 'tags', 'log']) {
      assert.ok(!Object.hasOwn(properties, key), key);
    }
    assert.deepEqual(required, []);
    assert.ok(properties['auth'] && properties['tls']);
  });
});

describe('the schema of a catalogue adapter as clients send it', () => {
  it('is that of its own settings', () => {
    const properties = { properties: { type: 'object', required: ['host'] } };
    assert.deepEqual(catalogueSchema({ $schema: 'http://draft', $defs: { x: {} }, properties }), {
      $schema: 'http://draft',
      $defs: { x: {} },
      type: 'object',
      required: ['host'],
    });
    assert.deepEqual(catalogueSchema({}), { $schema: DRAFT, $defs: {}, type: 'object' });
  });
});
