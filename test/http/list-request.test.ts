import assert from 'node:assert/strict';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { nextPageHeaders, readListQuery } from '../../src/http/list-request.js';

const JSON_TYPE = { 'content-type': 'application/json' };

async function queryOf(
  query: string,
  body = '',
  { headers = JSON_TYPE, limit }: { readonly headers?: Record<string, string>; readonly limit?: number } = {},
): Promise<string> {
  const req = Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
    headers: { ...headers, ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }) },
    httpVersion: '1.1',
  }) as unknown as IncomingMessage;
  const exchange = { req, res: new ServerResponse(req), params: {}, query: new URLSearchParams(query) };
  return (await readListQuery(exchange, limit)).toString();
}

describe('readListQuery', () => {
  it('adds the default limit to a query without a limit', async () => {
    assert.equal(await queryOf('skip=2', '', { limit: 7 }), 'skip=2&limit=7');
    assert.equal(await queryOf('limit=', '', { limit: 7 }), 'limit=7');
    assert.equal(await queryOf('limit=3', '', { limit: 7 }), 'limit=3');
    assert.equal(await queryOf('', ''), '');
  });

  it('reads queryOptions from the body of a GET, as iap-sdk sends them', async () => {
    const body = JSON.stringify({ queryOptions: { sort: 'package_id', limit: 50 } });
    assert.equal(await queryOf('', body, { limit: 7 }), 'sort=package_id&limit=50');
  });

  it('prefers a parameter of the URL', async () => {
    assert.equal(await queryOf('limit=3', '{"queryOptions": {"limit": 50, "skip": 1}}'), 'limit=3&skip=1');
  });

  it('converts nested filters and ignores lists and null', async () => {
    const body =
      '{"queryOptions": {"equals": {"name": "a b", "x": null}, "sort": null, "in": [1], "all": true}}';
    assert.equal(decodeURIComponent(await queryOf('', body)), 'equals[name]=a+b&all=true');
  });

  for (const [what, body, headers] of [
    ['text that is not JSON', 'hello', JSON_TYPE],
    ['another media type', '{"queryOptions": {"limit": 1}}', { 'content-type': 'text/plain' }],
    ['a list', '[{"queryOptions": {"limit": 1}}]', JSON_TYPE],
    ['options that are not an object', '{"queryOptions": "limit=1"}', JSON_TYPE],
    ['more than 16 KiB', `{"queryOptions": {"limit": 1}, "x": "${'x'.repeat(17_000)}"}`, JSON_TYPE],
  ] as const)
    it(`ignores a body with ${what}`, async () => {
      assert.equal(await queryOf('skip=1', body, { headers }), 'skip=1');
    });
});

describe('nextPageHeaders', () => {
  const linkOf = (query: string, results: readonly unknown[], total: number) =>
    nextPageHeaders(new URLSearchParams(query), { results, total })['link'];

  it('names the next page, with all other parameters, but without the token', () => {
    assert.equal(linkOf('limit=2', [1, 2], 5), '<?limit=2&skip=2>; rel="next"');
    assert.equal(linkOf('skip=2&limit=2', [3, 4], 5), '<?skip=4&limit=2>; rel="next"');
    assert.equal(
      linkOf('token=secret&contains=a%3Eb&limit=1', [1], 2),
      '<?contains=a%3Eb&limit=1&skip=1>; rel="next"',
    );
  });

  it('has no link on the last page, on an empty page and for a limit of 0', () => {
    assert.equal(linkOf('skip=4&limit=2', [5], 5), undefined);
    assert.equal(linkOf('skip=9&limit=2', [], 5), undefined);
    assert.equal(linkOf('limit=0', [], 5), undefined);
  });
});
