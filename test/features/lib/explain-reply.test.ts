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
const explained = (explain: unknown) =>
  explainReply({ ...adapter, explain } as Adapter, replyOf({ error: 'taken' }))?.detail;

describe('explainReply without an explanation of the plugin', () => {
  const tagged = { error: [{ 'error-tag': 'data-exists', 'error-message': 'exists' }] };
  const nested = { message: 'No Record found', detail: 'Record does not exist' };
  const documents: readonly (readonly [string, object, string])[] = [
    ['PowerDNS', { error: "Domain 'x.' already exists" }, "Domain 'x.' already exists"],
    ['Prometheus', { status: 'error', errorType: 'bad_data', error: 'parse error' }, 'parse error'],
    ['ServiceNow', { error: nested, status: 'failure' }, 'No Record found: Record does not exist'],
    ['Check Point', { message: 'Failed', errors: [{ message: 'IP is taken' }] }, 'Failed: IP is taken'],
    ['RFC 9457', { type: 'about:blank', title: 'Not Found', detail: 'no site 7' }, 'Not Found: no site 7'],
    ['OAuth 2.0', { error: 'invalid_grant', error_description: 'bad secret' }, 'invalid_grant: bad secret'],
    ['FastAPI', { detail: [{ loc: ['body', 'vlan'], msg: 'field required' }] }, 'field required'],
    ['a list of texts', { errors: ['one', 'two'] }, 'one; two'],
    ['Kubernetes', { kind: 'Status', message: 'not found', reason: 'NotFound' }, 'not found'],
    ['RESTCONF through http-rest', { 'ietf-restconf:errors': tagged }, 'exists'],
  ];
  it('finds the words of each product', () => {
    for (const [product, document, words] of documents)
      assert.equal(detailFor(document), `the orchestrator answered 422: ${words}`, product);
  });

  it('takes nothing else for an explanation of a plugin', () => {
    const faulty = [{ detail: 7 }, { detail: 'x', errors: {} }, { detail: 'x', errors: [1] }];
    for (const explanation of [null, 'x', {}, ...faulty])
      assert.equal(explained(() => explanation), 'the orchestrator answered 422: taken'); // prettier-ignore
  });

  it('takes the words of plain text on one line, but of no page and no other media type', () => {
    const words = detailFor('no such\n  site', 'text/plain; charset=utf-8');
    assert.equal(words, 'the orchestrator answered 422: no such site');
    for (const type of ['text/html', 'application/octet-stream'])
      assert.equal(detailFor('oops', type), undefined);
    assert.equal(detailFor('<html>oops</html>', 'text/plain'), undefined);
  });

  it('returns undefined without words', () => {
    const documents = ['{}', '[]', '{"a":1}', '{"error":true}', '{"message":{"__proto__":null}}'];
    for (const body of ['', '{broken', ...documents]) assert.equal(detailFor(body), undefined, body);
    assert.equal(detailFor(`{"error":"x","pad":"${'y'.repeat(70_000)}"}`), undefined);
  });

  it('limits the length of the words', () => {
    const errors = Array.from({ length: 20 }, () => 'y'.repeat(999));
    const long = detailFor({ message: 'x '.repeat(5000), errors });
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
    const detail = explained(() => Promise.reject(new Error('late')));
    assert.equal(detail, 'the orchestrator answered 422: taken');
    // An unhandled rejection would fail this test.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
