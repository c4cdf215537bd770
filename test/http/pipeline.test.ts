import assert from 'node:assert/strict';
import request, { type Test } from 'supertest';
import type { AnsweredRequest } from '../../src/core/metric.js';
import { bindApplication } from '../../src/core/operation.js';
import { Problem } from '../../src/core/problem.js';
import { collectGarbage } from '../../src/lib/collect-garbage.js';
import { column, columns } from '../support/columns.js';
import {
  ask,
  BODY_BYTES,
  buildTestApi,
  type Actions,
  demo,
  type HttpTestServerOptions,
  operationRow,
  TOKENS,
} from '../support/http-server.js';

/** A body, its headers, and the pointers of its faults. */
type BadBody = readonly [
  body: string | undefined,
  headers?: Readonly<Record<string, string>>,
  pointers?: readonly string[],
];

/** Returns an object that contains itself, which JSON cannot express. */
function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

const asAdmin = { authorization: `Bearer ${TOKENS.admin}` };

function createTestApi(options: HttpTestServerOptions = {}) {
  const testApp = buildTestApi(options);
  return { ...testApp, api: request(testApp.handler) };
}

const apiWithHandler = (getThing: NonNullable<Actions[string]>) => createTestApi({ actions: { getThing } });

describe('the pipeline: authorization', () => {
  const { api, lines } = createTestApi();
  const causes: Readonly<Record<string, Record<string, string>>> = {
    'no header': {},
    'an empty header': { authorization: '' },
    'an unknown token': { authorization: 'Bearer wrong' },
    'another scheme': { authorization: 'Basic YTpi' },
    'a cookie': { cookie: `token=${TOKENS.admin}` },
    'a token in the query': { 'x-query': TOKENS.admin },
  };
  const withoutRequestId = (failure: object | undefined) => ({ ...failure, requestId: '' });

  it('answers 401 with the same text and headers for every cause', async () => {
    const answers = [];
    for (const headers of Object.values(causes)) {
      const query = headers['x-query'] ? `?token=${headers['x-query']}` : '';
      answers.push(await ask(api.get(`/demo/things/a${query}`).set(headers)));
    }
    for (const { status, body, headers } of answers) {
      assert.equal(status, 401);
      assert.equal(headers['www-authenticate'], 'Bearer');
      assert.equal(headers['x-request-id'], body['requestId']);
      assert.deepEqual(withoutRequestId(body), withoutRequestId(answers[0]?.body));
      const names = Object.keys(headers).sort();
      assert.deepEqual(names, Object.keys(answers[0]!.headers).sort());
      assert.equal(headers['content-length'], answers[0]!.headers['content-length']);
    }
  });

  it('logs the reason of a refusal', async () => {
    lines.length = 0;
    await api.get('/demo/things/a').set({ authorization: 'Bearer wrong' });
    assert.deepEqual(
      [lines[0]?.fields['code'], lines[0]?.fields['reason']],
      ['unauthorized', 'not a token of the test'],
    );
  });

  it('answers 403 with the required roles, and logs the subject', async () => {
    lines.length = 0;
    const { status, body } = await ask(
      api.get('/demo/things/a').set({ authorization: `Bearer ${TOKENS.reader}` }),
    );
    assert.equal(status, 403);
    assert.equal(
      body['detail'],
      'demo.getThing needs one of these roles: admin. The token has these roles: readonly.',
    );
    assert.equal(lines[0]?.fields['subject'], 'rita');
  });

  it('does not authenticate callers of public operations', async () => {
    const open = createTestApi({
      deps: {
        authenticate: () => {
          throw new Error('asked');
        },
      },
    });
    assert.equal((await open.api.get('/demo/status').set(asAdmin)).status, 200);
  });

  it('hides an unexpected error of the authentication', async () => {
    const broken = createTestApi({ deps: { authenticate: () => Promise.reject(new Error('disk on fire')) } });
    const { status, text } = await ask(broken.api.get('/demo/things/a').set(asAdmin));
    assert.equal(status, 500);
    assert.doesNotMatch(text, /fire/);
  });
});

describe('the pipeline: parsing and validation', () => {
  const { api } = createTestApi();
  const post = (body: string | undefined, headers: Record<string, string> = {}): Test =>
    api
      .post('/demo/things')
      .set({ ...asAdmin, 'content-type': 'application/json', ...headers })
      .send(body);

  const whole = '{"name":"a"}';
  const padded = (bytes: number) => whole.padEnd(bytes, ' ');
  const typed = (type: string): BadBody => [whole, { 'content-type': type }];
  const refused: Readonly<Record<string, Readonly<Record<string, BadBody>>>> = {
    '400 invalid_json': {
      'no body': [undefined, {}, ['']],
      'no body and no type': [undefined, { 'content-type': '' }, ['']],
      'a blank body': ['  ', {}, ['']],
      'half a document': ['{"name":', {}, ['']],
      'two documents': ['{} {}', {}, ['']],
      'a member twice': ['{"name":"a","size":{"b":1,"b":2}}', {}, ['/size/b']],
      'two byte order marks': [`\ufeff\ufeff${whole}`, {}, ['']],
      'a document that is too deep': [`${'['.repeat(65)}${']'.repeat(65)}`, {}, ['/0'.repeat(64)]],
    },
    '400 invalid_request': {
      'a wrong root': ['[]', {}, ['']],
      null: ['null', {}, ['']],
      'every violation': ['{"size":"big","more":1}', {}, ['/more', '/name', '/size']],
      'the member __proto__': ['{"name":"a","__proto__":{}}', {}, ['/__proto__']],
    },
    '415 unsupported_media_type': {
      'no type': typed(''),
      'a form': ['name=a', { 'content-type': 'application/x-www-form-urlencoded' }],
      text: typed('text/plain'),
      'a similar media type': typed('application/jsonp'),
      'two types': typed('application/json, text/plain'),
      'latin-1': typed('application/json;charset=latin1'),
      'utf-16': typed('application/json; charset="utf-16"'),
      gzip: [whole, { 'content-encoding': 'gzip' }],
      'two codings': [whole, { 'content-encoding': 'identity, gzip' }],
    },
    '413 body_too_large': { 'a body one byte over the limit': [padded(BODY_BYTES + 1)] },
  };
  for (const [expected, bodies] of Object.entries(refused))
    for (const [what, [body, headers, pointers]] of Object.entries(bodies))
      it(`refuses ${what}: ${expected}`, async () => {
        const { status, body: failure } = await ask(post(body, headers));
        assert.equal(`${status} ${String(failure['code'])}`, expected);
        const errors = failure['errors'] as readonly { readonly pointer: string }[] | undefined;
        assert.deepEqual(errors && [...column(errors, 'pointer')].sort(), pointers);
        assert.deepEqual([failure['message'], failure['instance']], [failure['detail'], '/demo/things']);
      });

  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile=x;',
  ])
    it(`accepts ${type}`, async () => {
      assert.equal((await post(whole, { 'content-type': type })).status, 200);
    });

  it('accepts a body of exactly the limit, and the content coding identity', async () => {
    assert.equal((await post(padded(BODY_BYTES), { 'content-encoding': 'Identity' })).status, 200);
  });

  it('ignores a byte order mark', async () => {
    assert.equal((await post(`\ufeff${whole}`)).status, 200);
  });

  it('names the first fault in the message', async () => {
    const { body } = await ask(post('{"size":"big"}'));
    assert.equal(body['message'], '/name is missing (and 1 more error).');
    assert.equal((await ask(post(''))).body['message'], 'The body is empty.');
  });

  it('fills in defaults', async () => {
    const { body } = await ask(post(whole));
    assert.deepEqual(body['body'], { name: 'a', size: 3 });
  });

  it('accepts bodies of DELETE', async () => {
    const { status } = await ask(api.delete('/demo/things').set(asAdmin).send({ name: 'a' }));
    assert.equal(status, 200);
  });

  it('ignores bodies if the operation has no body schema', async () => {
    for (const body of [whole, 'not json', padded(BODY_BYTES * 2)]) {
      const get = await ask(
        api
          .get('/demo/things/a')
          .set({ ...asAdmin, 'content-type': 'application/json' })
          .send(body),
      );
      assert.deepEqual([get.status, 'body' in (get.body as object)], [200, false]);
    }
    const put = await ask(
      api
        .put('/demo/things/a/start')
        .set({ ...asAdmin, 'content-type': 'application/json', 'content-length': '0' }),
    );
    assert.equal(put.status, 200);
  });

  it('compiles a schema once', async () => {
    let compiled = 0;
    const counting = createTestApi({
      deps: {
        compile: () => {
          compiled += 1;
          return () => ({ violations: [], secrets: [], paths: [] });
        },
      },
    });
    for (let times = 0; times < 3; times += 1)
      await counting.api.post('/demo/things').set(asAdmin).send({ name: 'a' });
    assert.equal(compiled, 1);
  });
});

describe('the pipeline: handling and reply', () => {
  it('answers 200 with JSON and its length', async () => {
    const { api } = apiWithHandler(() => ({ body: { ok: 'é' } }));
    const { status, headers, text } = await ask(api.get('/demo/things/a').set(asAdmin));
    assert.deepEqual([status, text], [200, '{"ok":"é"}']);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['content-length'], '11');
  });

  it('returns raw JSON bytes unchanged', async () => {
    const rawJson = Buffer.from('{"n": 12345678901234567890 }');
    const { api } = apiWithHandler(() => ({ body: { rawJson } }));
    assert.equal((await api.get('/demo/things/a').set(asAdmin)).text, rawJson.toString());
  });

  it('answers null for a reply without a body', async () => {
    const { api } = apiWithHandler(() => ({ body: undefined }));
    assert.equal((await api.get('/demo/things/a').set(asAdmin)).text, 'null');
  });

  it('keeps a valid request ID and replaces others', async () => {
    const { api } = apiWithHandler(({ requestId }) => ({ body: requestId }));
    const kept = await ask(api.get('/demo/things/a').set({ ...asAdmin, 'x-request-id': 'my-id_1.2' }));
    assert.deepEqual([kept.body, kept.headers['x-request-id']], ['my-id_1.2', 'my-id_1.2']);
    for (const bad of ['', 'a b', 'a'.repeat(65), '{"a":1}', 'a,b']) {
      const { text } = await ask(api.get('/demo/things/a').set({ ...asAdmin, 'x-request-id': bad }));
      assert.match(text, /^"[0-9a-f-]{36}"$/);
    }
  });

  it('X-02 removes secrets from every text of a failure', async () => {
    const message = 'login as u:p4ss-w0rd failed';
    const { api } = createTestApi({
      actions: {
        getThing: () => {
          throw new Problem('upstream_rejected', message, {
            errors: [{ pointer: '/a', message }],
            upstream: { status: 400, body: { deep: [message] } },
            headers: { 'x-told': message },
          });
        },
      },
      deps: { redact: (text) => text.replaceAll('p4ss-w0rd', '[redacted]') },
    });
    const { text, body, headers } = await ask(api.get('/demo/things/a').set(asAdmin));
    assert.ok(!`${text}${JSON.stringify(headers)}`.includes('p4ss-w0rd'));
    assert.equal(body['detail'], 'login as u:[redacted] failed');
    assert.equal(headers['x-told'], 'login as u:[redacted] failed');
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
  });

  it('answers a Problem with its status, headers, errors and upstream', async () => {
    const { api } = apiWithHandler(() => {
      throw new Problem('upstream_rejected', 'no such leaf', {
        status: 409,
        headers: { 'retry-after': '3' },
        errors: [{ pointer: '/params/path', message: 'is gone' }],
        upstream: { status: 409, body: { a: 1 } },
      });
    });
    const { status, headers, body } = await ask(api.get('/demo/things/a?b=c').set(asAdmin));
    const { requestId, recommendation, ...rest } = body;
    assert.deepEqual([status, headers['retry-after']], [409, '3']);
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(requestId, headers['x-request-id']);
    assert.ok(String(recommendation).endsWith('.'));
    assert.deepEqual(rest, {
      type: 'urn:gatehouse:problem:upstream_rejected',
      title: 'The orchestrator refused the request',
      status: 409,
      detail: 'no such leaf',
      instance: '/demo/things/a',
      code: 'upstream_rejected',
      message: 'no such leaf',
      errors: [{ pointer: '/params/path', message: 'is gone' }],
      upstream: { status: 409, body: { a: 1 } },
    });
  });

  for (const [what, deed] of [
    [
      'a throw',
      () => {
        throw new Error('secret-in-error');
      },
    ],
    ['a rejection', () => Promise.reject(new TypeError('secret-in-error'))],
    ['a value that is not JSON', () => ({ body: { secret: circular() } })],
  ] as const)
    it(`hides ${what} and logs it once, with its cause`, async () => {
      const { api, lines } = apiWithHandler(deed);
      const { status, text } = await ask(api.get('/demo/things/a').set(asAdmin));
      assert.equal(status, 500);
      assert.doesNotMatch(text, /secret|\.ts|\.js|BigInt/);
      const errors = lines.filter(({ level }) => level === 'error');
      assert.equal(errors.length, 1);
      assert.ok(errors[0]?.fields['error'] instanceof Error);
      assert.equal(errors[0].fields['requestId'], (JSON.parse(text) as { requestId: string }).requestId);
    });

  it('logs the cause of an upstream failure', async () => {
    const { api, lines } = apiWithHandler(() => {
      throw new Problem('upstream_unreachable', 'x', { cause: new Error('ECONNREFUSED') });
    });
    assert.equal((await api.get('/demo/things/a').set(asAdmin)).status, 502);
    assert.deepEqual(columns(lines, 'level', 'message'), [
      ['warn', 'request failed'],
      ['info', 'request'],
    ]);
  });

  it('logs one access line with the subject, and without query, body, cookie or token', async () => {
    const { api, lines } = createTestApi();
    await api
      .post('/demo/things?token=canary-query')
      .set({ ...asAdmin, cookie: 'token=canary-cookie', 'x-other': 'canary-header' })
      .send({ name: 'canary-body' });
    await api.post('/demo/things').set(asAdmin).send('{"name":"canary-body"');
    await api
      .post('/demo/things')
      .set({ authorization: 'Bearer canary-token' })
      .send({ name: 'canary-body' });
    assert.equal(lines.length, 3);
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`canary|${TOKENS.admin}`));
    const { ms, requestId, ...rest } = lines[0]!.fields;
    assert.deepEqual([typeof ms, typeof requestId], ['number', 'string']);
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/demo/things',
      status: 200,
      clientAddress: '127.0.0.1',
      operation: 'demo.createThing',
      subject: 'ada',
      issuer: 'https://idp.test',
    });
  });
});

describe('the pipeline: the observed request', () => {
  /** An operation that derives its target from a long text in the body. */
  const send = operationRow('send', 'POST', {
    path: '/send',
    audited: true,
    body: { type: 'object' },
    target: ({ body }) => `GET ${(body as { path: string }).path.replace(/[?#].*$/s, '')}`,
    handle: () => ({ body: {} }),
  });

  it('does not retain the long text that contains its target', async () => {
    const noted: AnsweredRequest[] = [];
    const operations = bindApplication({ ...demo, operations: [send] }, {});
    const measure = (one: AnsweredRequest): unknown => noted.push(one);
    const { api, records } = createTestApi({ operations, deps: { bodyBytes: 2_000_000, measure } });
    const before = heldBytes();
    for (let time = 0; time < 40; time += 1) {
      const more = String(time).repeat(500_000);
      const path = time % 2 === 0 ? `/restconf/data/things?${more}` : `/restconf/data/${more}`;
      const { status } = await api.post('/demo/send').set(asAdmin).send({ path });
      assert.equal(status, 200);
    }
    records.splice(0);
    const held = heldBytes() - before;
    assert.deepEqual([noted[0]?.about, noted[1]?.about.length], ['GET /restconf/data/things', 1024]);
    assert.ok(held < 5_000_000, `${held} bytes are held for ${noted.length} requests`);
  });
});

/** Returns the bytes of the heap in use after a garbage collection. */
function heldBytes(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage('regular');
  return process.memoryUsage().heapUsed;
}
