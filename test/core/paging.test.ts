import assert from 'node:assert/strict';
import type { UpstreamReply } from '../../src/core/adapter.js';
import { type ListPage, Pager, type PagingBounds, type PagingRule } from '../../src/core/paging.js';
import { itemBytes, joinPages } from '../../src/features/orchestrator/read-pages.js';
import { problem } from '../support/failing.js';

const replyOf = (body: string, headers: UpstreamReply['headers'] = {}): UpstreamReply => ({
  status: 200,
  headers,
  body: Buffer.from(body),
});
const requestFor = (path: string) => ({
  path,
  linkedPath: (link: string) => (link.startsWith('/') ? link : undefined),
});

/** Reads pages that a function makes of each path, until the list ends. */
function readAll(
  rule: PagingRule,
  pageOf: (path: string, at: number) => UpstreamReply,
  terms: { readonly bounds?: Partial<PagingBounds>; readonly now?: () => number } = {},
): { readonly paths: readonly string[]; readonly json: string } {
  const pager = new Pager(rule, terms);
  const items: Buffer[] = [];
  let last: ListPage | undefined;
  const paths: string[] = [];
  for (let path: string | undefined = '/list?limit=2'; path !== undefined;) {
    paths.push(path);
    const { page, next } = pager.add(pageOf(path, paths.length), requestFor(path));
    last = page;
    items.push(...[itemBytes(page) ?? []].flat());
    path = next;
  }
  return { paths, json: joinPages(last!, items).toString() };
}

describe('a pager', () => {
  const endless = (_path: string, at: number) => replyOf(`[${at}, 0]`);
  const byOffset: PagingRule = { by: 'offset', parameter: 'offset' };

  it('stops at each of its bounds', () => {
    for (const [bounds, words] of [
      [{ maxPages: 3 }, /^the list has more than 3 pages/],
      [{ maxItems: 7 }, /^the list has more than 7 items/],
      [{ maxBytes: 20 }, /^the list has more than 20 bytes/],
    ] as const)
      assert.throws(() => readAll(byOffset, endless, { bounds }), problem('upstream_too_large', words));
    let now = 0;
    const terms = { bounds: { maxMs: 1000 }, now: () => (now += 400) };
    assert.throws(
      () => readAll(byOffset, endless, terms),
      problem('upstream_timeout', / 1000 ms \(3 pages\)/),
    );
  });

  it('refuses a page that takes too long to read (bug: a page of different members stopped the server for up to 1 s)', () => {
    const many = (count: number, part: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => part(at)).join(',');
    const pages = {
      values: `[${many(50_000, () => '[1]')}]`,
      names: `[{${many(20_001, (at) => `"m${at}":1`)}}]`,
      numbers: `[[${many(20_001, () => '12345678901234567')}]]`,
    };
    const words = /^page 1 of the list has more than 100000 values, or 20000 that take long to read/;
    for (const [what, page] of Object.entries(pages))
      assert.throws(() => readAll(byOffset, () => replyOf(page)), problem('upstream_too_large', words), what);
    const rows = `[${many(9_000, (at) => `{"id":${at},"name":"r","mtu":1500,"up":true}`)}]`;
    assert.equal(readAll({ by: 'link' }, () => replyOf(rows)).json, rows);
  });

  it('reads a list that ends exactly at its bounds', () => {
    const lastAt3 = (_path: string, at: number) => replyOf(at === 3 ? '[]' : `[${at}, 0]`);
    const { json, paths } = readAll(byOffset, lastAt3, {
      bounds: { maxPages: 3, maxItems: 4, maxBytes: 14 },
    });
    assert.equal(json, '[1, 0,2, 0]');
    assert.deepEqual(paths, ['/list?limit=2', '/list?limit=2&offset=2', '/list?limit=2&offset=4']);
  });

  it('continues after an empty page that names a next one, and after a page with the same items', () => {
    const pages = [
      '{"d":[1],"n":"/b"}',
      '{"d":[ ],"n":"/c"}',
      '{"d":[1],"n":"/e"}',
      '{"d":[1],"n":null,"z":"]"}',
    ];
    const rule: PagingRule = { by: 'next', at: '/n', items: '/d' };
    const { json } = readAll(rule, (_path, at) => replyOf(pages[at - 1] ?? ''));
    assert.equal(json, '{"d":[1,1,1],"n":null,"z":"]"}');
  });

  it('ends a list with a 204, in the form of the page before it', () => {
    const rule = { by: 'offset', parameter: 'offset', items: '/data' } as const;
    const none: UpstreamReply = { status: 204, headers: {}, body: Buffer.alloc(0) };
    const page = replyOf('{"data": [1, 2], "at": 1}');
    const { paths, json } = readAll(rule, (_path, at) => (at === 1 ? page : none));
    assert.deepEqual(paths, ['/list?limit=2', '/list?limit=2&offset=2']);
    assert.equal(json, '{"data": [1, 2], "at": 1}');
    assert.equal(readAll(rule, () => none).json, '[]');
  });

  it('finds the list at a pointer with escapes, behind members that look like it', () => {
    const text = String.raw`{"x":{"d":[0]},"t":"\"d\":[9]","a~b":{"c/d":[ {"q":"]}"} ]},"e":1}`;
    const { json } = readAll({ by: 'link', items: '/a~0b/c~1d' }, () => replyOf(`\ufeff${text}`));
    assert.equal(json, text.replace('[ {"q":"]}"} ]', '[ {"q":"]}"} ]'));
  });

  it('refuses a page without its list, and a token that is none', () => {
    const rule: PagingRule = { by: 'cursor', at: '/next', parameter: 'c', items: '/items' };
    for (const [body, words] of [
      ['<html>', /page 1 of the list is not JSON/],
      ['', /is not JSON/],
      ['{"items":{}}', /has no list at "\/items"/],
      ['[]', /has no list/],
      ['{"items":[1],"next":{"a":1}}', /something else than a text at "\/next"/],
    ] as const)
      assert.throws(() => readAll(rule, () => replyOf(body)), problem('upstream_bad_reply', words), body);
  });

  it('takes each kind of the end of a list by a token', () => {
    const rule: PagingRule = { by: 'cursor', at: '/next', parameter: 'c', items: '/items' };
    for (const next of ['null', '""', 'false', undefined]) {
      const body = `{"items":[1]${next === undefined ? '' : `,"next":${next}`}}`;
      assert.equal(readAll(rule, () => replyOf(body)).paths.length, 1, next);
    }
    const digits = readAll(rule, (_path, at) =>
      replyOf(`{"items":[${at}]${at === 1 ? ',"next":18446744073709551615' : ''}}`),
    );
    assert.deepEqual(digits.paths, ['/list?limit=2', '/list?limit=2&c=18446744073709551615']);
  });

  it('replaces a parameter of the caller, and counts on from it', () => {
    const rule: PagingRule = { by: 'page', parameter: 'page[number]' };
    const pager = new Pager(rule);
    const { next } = pager.add(replyOf('[1]'), requestFor('/l?page%5Bnumber%5D=4&q=a+b&empty'));
    assert.equal(next, '/l?q=a+b&empty&page%5Bnumber%5D=5');
  });
});
