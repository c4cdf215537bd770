import assert from 'node:assert/strict';
import type { Adapter } from '../../../src/core/adapter.js';
import { explainReply, reasonOf } from '../../../src/features/lib/explain-reply.js';

const adapter: Adapter = { translate: ({ method, path }) => [{ method, path, headers: {} }] };
const replyOf = (body: string | object, type = 'application/json') => ({
  status: 422,
  headers: { 'content-type': type },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const detailFor = (body: string | object, type?: string) =>
  explainReply(adapter, replyOf(body, type))?.detail;

describe('explainReply without an explanation of the plugin', () => {
  const documents: readonly (readonly [string, object, string])[] = [
    ['PowerDNS', { error: "Domain 'x.' already exists" }, "Domain 'x.' already exists"],
    ['Prometheus', { status: 'error', errorType: 'bad_data', error: 'parse error' }, 'parse error'],
    [
      'ServiceNow',
      { error: { message: 'No Record found', detail: 'Record does not exist' }, status: 'failure' },
      'No Record found: Record does not exist',
    ],
    [
      'Check Point',
      { code: 'err', message: 'Validation failed', errors: [{ message: 'IP is taken' }] },
      'Validation failed: IP is taken',
    ],
    ['RFC 9457', { type: 'about:blank', title: 'Not Found', detail: 'no site 7' }, 'Not Found: no site 7'],
    ['OAuth 2.0', { error: 'invalid_grant', error_description: 'bad secret' }, 'invalid_grant: bad secret'],
    ['FastAPI', { detail: [{ loc: ['body', 'vlan'], msg: 'field required' }] }, 'field required'],
    ['a list of texts', { errors: ['one', 'two'] }, 'one; two'],
    [
      'Kubernetes',
      { kind: 'Status', message: 'pods "a" not found', reason: 'NotFound' },
      'pods "a" not found',
    ],
    [
      'RESTCONF through http-rest',
      { 'ietf-restconf:errors': { error: [{ 'error-tag': 'data-exists', 'error-message': 'exists' }] } },
      'exists',
    ],
  ];
  it('finds the words of each product', () => {
    for (const [product, document, words] of documents)
      assert.equal(detailFor(document), `the orchestrator answered 422: ${words}`, product);
  });

  it('takes nothing else for an explanation of a plugin', () => {
    for (const explanation of [
      null,
      'x',
      {},
      { detail: 7 },
      { detail: 'x', errors: {} },
      { detail: 'x', errors: [1] },
    ])
      assert.equal(
        explainReply({ ...adapter, explain: () => explanation as never }, replyOf({ error: 'taken' }))
          ?.detail,
        'the orchestrator answered 422: taken',
      );
  });

  it('takes the words of plain text on one line, but of no page and no other media type', () => {
    assert.equal(
      detailFor('no such\n  site', 'text/plain; charset=utf-8'),
      'the orchestrator answered 422: no such site',
    );
    for (const type of ['text/html', 'application/octet-stream'])
      assert.equal(detailFor('oops', type), undefined);
    assert.equal(detailFor('<html>oops</html>', 'text/plain'), undefined);
  });

  it('returns undefined without words', () => {
    for (const body of [
      '',
      '{}',
      '[]',
      '{"a":1}',
      '{"error":true}',
      '{broken',
      '{"message":{"__proto__":null}}',
    ])
      assert.equal(detailFor(body), undefined, body);
    assert.equal(detailFor(`{"error":"x","pad":"${'y'.repeat(70_000)}"}`), undefined);
  });

  it('limits the length of the words', () => {
    const long = detailFor({
      message: 'x '.repeat(5000),
      errors: Array.from({ length: 20 }, () => 'y'.repeat(999)),
    });
    assert.ok(long !== undefined && long.length > 400 && long.length <= 560);
  });
});

describe('reasonOf', () => {
  it('names the place of each error, and repeats no text', () => {
    const errors = [
      { pointer: '/a', message: 'data-exists: it exists' },
      { pointer: '', message: 'too-big' },
    ];
    assert.equal(reasonOf({ detail: 'it exists', errors }), 'data-exists: it exists (/a); too-big');
    assert.equal(reasonOf({ detail: 'refused', errors }), 'refused; data-exists: it exists (/a); too-big');
    assert.equal(reasonOf({ detail: 'refused' }), 'refused');
    assert.equal(reasonOf({ detail: 'too-big', errors: [{ pointer: '', message: 'too-big' }] }), 'too-big');
  });
});

describe('explainReply with a plugin whose explain is asynchronous', () => {
  it('handles the rejection of the promise, and uses the words of the reply', async () => {
    const explain = (): never => Promise.reject(new Error('late')) as never;
    const detail = explainReply({ ...adapter, explain }, replyOf({ error: 'taken' }))?.detail;
    assert.equal(detail, 'the orchestrator answered 422: taken');
    // An unhandled rejection would fail this test.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
