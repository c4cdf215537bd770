import assert from 'node:assert/strict';
import request from 'supertest';
import type { AuditRecord } from '../../src/core/audit.js';
import { bindApplication, type Call, type Operation } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import { column, columns } from '../support/columns.js';
import {
  ask,
  BODY_BYTES,
  buildTestApi,
  demo,
  type HttpTestServerOptions,
  memoryAudit,
  operationRow,
  TOKENS,
} from '../support/http-server.js';

const FORM = 'application/x-www-form-urlencoded';
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const asAdmin = as(TOKENS.admin);

type Row = Partial<Operation<object>>;

const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } as const;

function echo({ body, query, header, address }: Call): object {
  return { body: body ?? 'none', query: [...query], header: header('x-asked') ?? 'none', address };
}

/** Serves one operation at `POST /thing`, changed by `row`; the operation returns its arguments. */
function serve(row: Row = {}, options: HttpTestServerOptions = {}) {
  const operation = operationRow('doThing', 'POST', {
    path: '/thing',
    handle: (call) => ({ body: echo(call) }),
    ...row,
  });
  const application = { ...demo, prefixes: [''], operations: [operation] } as const;
  const testApp = buildTestApi({ ...options, operations: bindApplication(application, {}) });
  return { ...testApp, api: request(testApp.handler) };
}

describe('a public operation with a body', () => {
  const { api } = serve({ body: thing, form: true, roles: 'public' }, { deps: { bodyBytes: 1_000_000 } });
  const post = (body: string, type = 'application/json') =>
    ask(api.post('/thing').set('content-type', type).send(body));
  const nameOf = (length: number): string =>
    JSON.stringify({ name: 'x'.repeat(length - '{"name":""}'.length) });

  it('finding F1: accepts at most 16 KiB, whatever other operations accept', async () => {
    assert.equal((await post(nameOf(16_384))).status, 200);
    const { status, body } = await post(nameOf(16_385));
    assert.deepEqual([status, body['detail']], [413, 'The body is larger than 16384 bytes.']);
  });

  it('finding F1: accepts at most 100 fields of a form', async () => {
    const fields = (count: number): string =>
      Array.from({ length: count }, (_, at) => (at === 0 ? 'name=a' : `f${at}=`)).join('&');
    assert.equal((await post(fields(100), FORM)).status, 200);
    const { status, body } = await post(fields(101), FORM);
    assert.deepEqual([status, body['detail']], [400, 'The body has more than 100 fields.']);
  });
});

describe('an operation that only takes rights away', () => {
  const fail = () => Promise.reject(new Error('ENOSPC'));
  const serveRevoking = (handle: NonNullable<Row['handle']>) => {
    const waiting: AuditRecord[] = [];
    const { audit } = memoryAudit();
    const appendOrKeep = (record: AuditRecord) => {
      waiting.push(record);
      return Promise.resolve(false);
    };
    const deps = { audit: { ...audit, reserve: () => false, append: fail, appendOrKeep } };
    return { ...serve({ roles: 'public', audited: true, onlyRevokes: true, handle }, { deps }), waiting };
  };
  const caller = { subject: 'ada', issuer: 'https://idp.test' };

  it('runs while the audit trail accepts no record (bug: a sign-out was refused, and the token stayed valid)', async () => {
    const { api, waiting, lines } = serveRevoking(() => ({
      body: { done: true },
      caller,
      outcome: 'signed out',
    }));
    const { status, body } = await ask(api.post('/thing'));
    assert.deepEqual([status, body], [200, { done: true }]);
    assert.deepEqual(columns(waiting, 'subject', 'outcome'), [['ada', 'signed out']]);
    assert.ok(column(lines, 'message').includes('audit trail accepts no record; the record waits in memory'));
  });

  it('fails with its own failure and headers, and the record names the caller', async () => {
    const headers = { 'set-cookie': 'token=; Max-Age=0' };
    const away = new Problem('store_unavailable', 'Away.', { headers, caller });
    const { api, waiting } = serveRevoking(() => Promise.reject(away));
    const reply = await ask(api.post('/thing'));
    assert.deepEqual([reply.status, reply.body['code']], [503, 'store_unavailable']);
    assert.match(String(reply.headers['set-cookie']), /^token=;/);
    assert.deepEqual(columns(waiting, 'subject', 'outcome'), [['ada', 'store_unavailable']]);
  });
});

describe('a public operation that is audited', () => {
  it('finding F5: records one refusal per minute and network, with the number of those before', async () => {
    let now = 1_000_000;
    const busy = new Problem('too_many_requests', 'Wait.', { outcome: 'too_many_requests, eve' });
    const handle = () => Promise.reject(busy);
    const { api, records } = serve(
      { roles: 'public', audited: true, handle },
      { deps: { clock: { now: () => now } } },
    );
    for (let time = 0; time < 5; time += 1) assert.equal((await ask(api.post('/thing'))).status, 429);
    now += 60_000;
    await ask(api.post('/thing'));
    assert.deepEqual(column(records, 'outcome'), [
      'too_many_requests, eve',
      'too_many_requests, eve; 4 refusals before this one were not recorded',
    ]);
  });

  it('finding F5: records every other failure, and every refusal of a caller with a token', async () => {
    const fail = (code: 'too_many_requests' | 'invalid_credentials', roles: Row['roles']) =>
      serve({
        audited: true,
        handle: () => Promise.reject(new Problem(code, 'No.')),
        ...(roles && { roles }),
      });
    for (const { api, records } of [
      fail('invalid_credentials', 'public'),
      fail('too_many_requests', ['admin']),
    ]) {
      for (let time = 0; time < 3; time += 1) await ask(api.post('/thing').set(asAdmin));
      assert.equal(records.length, 3);
    }
  });

  it('records 20 calls of unknown callers per minute, network and operation, also if they succeed', async () => {
    const outcomes: readonly NonNullable<Row['handle']>[] = [
      () => Promise.reject(new Problem('unauthorized', 'No.')),
      () => Promise.reject(new Problem('csrf_refused', 'No.')),
      () => Promise.reject(new Error('a bug')),
      () => Promise.resolve({ body: {}, outcome: 'a reply of nobody' }),
    ];
    for (const handle of outcomes) {
      let now = 1_000_000;
      const clock = { now: () => now };
      const { api, records } = serve({ roles: 'public', audited: true, handle }, { deps: { clock } });
      for (let time = 0; time < 50; time += 1) await ask(api.post('/thing'));
      assert.equal(records.length, 20);
      now += 60_000;
      await ask(api.post('/thing'));
      assert.match(records[20]?.outcome ?? '', /; 30 refusals before this one were not recorded$/);
    }
  });

  it('records every call of a caller whom the operation identifies', async () => {
    const { api, records } = serve({
      roles: 'public',
      audited: true,
      handle: () => ({ body: {}, caller: { subject: '', issuer: 'https://idp.test' } }),
    });
    for (let time = 0; time < 30; time += 1) await ask(api.post('/thing'));
    assert.equal(records.length, 30);
  });

  it('finding F5: records nothing if the call did nothing', async () => {
    const { api, records } = serve({
      roles: 'public',
      audited: true,
      handle: () => ({ body: {}, didNothing: true }),
    });
    assert.equal((await ask(api.post('/thing'))).status, 200);
    assert.deepEqual(records, []);
  });
});

describe('an operation with `form`', () => {
  const { api } = serve({ body: thing, form: true });
  const post = (body: string, type = FORM) =>
    ask(api.post('/thing').set(asAdmin).set('content-type', type).send(body));

  it('accepts a form as an object of strings, of several values the last, and JSON as before', async () => {
    assert.deepEqual((await post('name=a&name=b')).body['body'], { name: 'b' });
    assert.deepEqual((await post('name=a+b%26c&n=1')).body['body'], { name: 'a b&c', n: '1' });
    assert.deepEqual((await post('name=a', `${FORM.toUpperCase()}; charset="utf-8"`)).body['body'], {
      name: 'a',
    });
    assert.deepEqual((await post('{"name":"a","n":1}', 'application/json')).body['body'], {
      name: 'a',
      n: 1,
    });
  });

  it('keeps every name as an own member', async () => {
    const { body } = await post('name=a&__proto__=b&constructor=c');
    assert.deepEqual(Object.keys(body['body'] as object).sort(), ['__proto__', 'constructor', 'name']);
  });

  it('validates a form against its schema', async () => {
    const { status, body } = await post('n=1');
    assert.deepEqual([status, body['code'], body['message']], [400, 'invalid_request', '/name is missing.']);
    assert.equal((await post('')).status, 400);
  });

  it('limits the size of a form, and accepts only UTF-8', async () => {
    assert.equal((await post(`name=${'a'.repeat(BODY_BYTES)}`)).status, 413);
    assert.equal((await post('name=a', `${FORM}; charset=latin1`)).status, 415);
    assert.equal((await post('name=a', 'multipart/form-data')).status, 415);
  });

  it('is the only operation that accepts a form', async () => {
    const strict = serve({ body: thing });
    const answer = await ask(strict.api.post('/thing').set(asAdmin).set('content-type', FORM).send('name=a'));
    assert.equal(answer.status, 415);
  });
});

describe('an operation with `bodyOptional`', () => {
  const { api } = serve({ body: thing, bodyOptional: true });
  const post = (headers: Record<string, string>, body?: string) =>
    ask(
      api
        .post('/thing')
        .set({ ...asAdmin, ...headers })
        .send(body),
    );

  it('passes `undefined` to the handler for a request without a body, with any content type', async () => {
    assert.equal((await post({})).body['body'], 'none');
    const empty = { 'content-type': 'application/json', 'content-length': '0' };
    assert.equal((await post(empty)).body['body'], 'none');
    assert.equal(
      (await post({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' })).status,
      200,
    );
  });

  it('validates a body if present', async () => {
    const json = { 'content-type': 'application/json' };
    assert.deepEqual((await post(json, '{"name":"a"}')).body['body'], { name: 'a' });
    assert.equal((await post(json, '{}')).body['code'], 'invalid_request');
    assert.equal((await post(json, ' ')).body['code'], 'invalid_json');
    assert.equal((await post({ 'content-type': 'text/plain' }, 'x')).status, 415);
  });
});

describe('an operation handler', () => {
  it('receives headers by lower-case name, and the address of the peer', async () => {
    const { api } = serve();
    const { body } = await ask(api.post('/thing').set({ ...asAdmin, 'X-Asked': 'yes' }));
    assert.equal(body['header'], 'yes');
    assert.match(String(body['address']), /127\.0\.0\.1$/);
    assert.equal((await ask(api.post('/thing').set(asAdmin))).body['header'], 'none');
  });

  it('does not receive the query parameter that authenticates the caller', async () => {
    const { body } = await ask(serve().api.post('/thing?a=1&token=canary&token=again&b=2').set(asAdmin));
    assert.deepEqual(body['query'], [
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('adds headers to its reply, JSON or text, but not to a failure', async () => {
    const headers = { etag: '"7"', 'set-cookie': 'token=a; HttpOnly' };
    const handle = () => ({ body: 'x', headers });
    for (const row of [{ handle }, { handle, replyType: 'text/plain; charset=utf-8' }]) {
      const answer = await ask(serve(row).api.post('/thing').set(asAdmin));
      assert.equal(answer.headers['etag'], '"7"');
      assert.deepEqual(answer.headers['set-cookie'], ['token=a; HttpOnly']);
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
    const refused = await ask(
      serve({ handle, roles: ['engineering'] })
        .api.post('/thing')
        .set(asAdmin),
    );
    assert.deepEqual([refused.status, refused.headers['set-cookie']], [403, undefined]);
  });

  it('sets the outcome in the audit record and the OAuth error code for the caller', async () => {
    const { api, records } = serve({
      audited: true,
      handle: () => {
        throw new Problem('invalid_credentials', 'No.', { outcome: 'wrong, ada', error: 'invalid_client' });
      },
    });
    const { status, body } = await ask(api.post('/thing').set(asAdmin));
    assert.deepEqual([status, body['error'], body['code']], [401, 'invalid_client', 'invalid_credentials']);
    assert.ok(!JSON.stringify(body).includes('wrong, ada'));
    assert.deepEqual(
      records.map((one) => [one.status, one.outcome]),
      [[401, 'wrong, ada']],
    );
  });
});

describe('an operation for the role `authenticated`', () => {
  const { api } = serve({ roles: 'authenticated' });

  it('accepts every caller with a valid token, with any roles', async () => {
    for (const token of Object.values(TOKENS))
      assert.equal((await ask(api.post('/thing').set(as(token)))).status, 200);
  });

  it('can be restricted to roles, and an operation with roles can be opened to every valid token', async () => {
    const narrowed = serve({ roles: 'authenticated' }, { deps: { rolesOf: () => ['readonly'] } });
    assert.equal((await ask(narrowed.api.post('/thing').set(asAdmin))).status, 403);
    assert.equal((await ask(narrowed.api.post('/thing').set(as(TOKENS.reader)))).status, 200);
    const closed = serve({}, { deps: { rolesOf: () => [] } });
    assert.equal((await ask(closed.api.post('/thing').set(asAdmin))).status, 403);
    const widened = serve({}, { deps: { rolesOf: () => 'authenticated' } });
    assert.equal((await ask(widened.api.post('/thing').set(as(TOKENS.reader)))).status, 200);
  });
});

describe('the authentication of a request', () => {
  it('receives the headers, the target and the peer address', async () => {
    const seen: unknown[] = [];
    const { api } = serve(
      {},
      {
        deps: {
          authenticate: ({ header, target, address }) => {
            seen.push([header('cookie'), target, address.endsWith('127.0.0.1')]);
            return { subject: 'a', issuer: 'i', roles: ['admin'], expiresAt: 0 };
          },
        },
      },
    );
    assert.equal((await ask(api.post('//thing/?token=t').set({ cookie: 'token=c' }))).status, 200);
    assert.deepEqual(seen, [['token=c', '/thing/?token=t', true]]);
  });

  it('passes on a refusal other than 401, such as 429 after many wrong passwords', async () => {
    const refuse = () => {
      throw new Problem('too_many_requests', 'Later.', { headers: { 'retry-after': '9' } });
    };
    const { status, headers } = await ask(serve({}, { deps: { authenticate: refuse } }).api.post('/thing'));
    assert.deepEqual([status, headers['retry-after']], [429, '9']);
  });
});
