import assert from 'node:assert/strict';
import { Pager, type PagingRule } from '../../src/core/paging.js';
import { itemBytes, joinPages } from '../../src/features/orchestrator/read-pages.js';
import { jsonText } from '../../src/json/write-json.js';
import { nextLink } from '../../src/lib/link-header.js';
import { problemOf } from './verdict.js';

/** A link to the next page is in the header as it is returned, in angle brackets, and one header is the same as a list of it. */
export function readAsLink(input: Buffer): void {
  const header = input.toString('latin1');
  const target = nextLink(header);
  assert.equal(nextLink([header]), target);
  if (target === undefined) return;
  assert.doesNotMatch(target, /[<>]/);
  assert.ok(header.includes(`<${target}>`), header);
  assert.match(header.replaceAll('\\', ''), /next/i);
}

const RULES: readonly PagingRule[] = [
  { by: 'next', items: '/items', at: '/next' },
  { by: 'cursor', items: '/items', at: '/next', parameter: 'c&d' },
  { by: 'offset', parameter: 'offset', more: '/0' },
  { by: 'page', items: '/a/b', parameter: 'page', total: '/total' },
];

const PATH = '/list?limit=2&c%26d=x&offset=4';

/** Returns a value of JSON with doubles alone, and null for infinity. */
function plain(json: string): unknown {
  return JSON.parse(JSON.stringify(JSON.parse(json)));
}

/** A page is refused, or its text and its items are the same list, and the next path is below the base with the rest of the query. */
export function readAsPage(input: Buffer): void {
  const rule = RULES[(input[0] ?? 0) % RULES.length];
  if (!rule) return;
  const reply = { status: 200, headers: {}, body: input.subarray(1) };
  const linkedPath = (link: string): string | undefined => (/^\/(?!\/)/.test(link) ? link : undefined);
  const add = () => new Pager(rule).add(reply, { path: PATH, linkedPath });
  const read = problemOf(add, 'upstream_bad_reply');
  if (!read) return;
  const { page, next } = read.value;
  const list = page.text.slice(page.from, page.to);
  const items = plain(jsonText(page.items)) as readonly unknown[];
  assert.deepEqual(plain(list), items);
  const bytes = [itemBytes(page) ?? []].flat();
  assert.deepEqual(plain(joinPages(page, bytes).toString()), plain(page.text));
  if (page.from === 0)
    assert.deepEqual(plain(joinPages(page, [...bytes, ...bytes]).toString()), [...items, ...items]);
  if (next === undefined) return;
  assert.match(next, /^\/(?!\/)/);
  if (rule.by !== 'next') assert.match(next, /^\/list\?limit=2&/);
  const query = new URLSearchParams(next.slice('/list?'.length));
  if (rule.by !== 'next') assert.equal(query.getAll(rule.parameter ?? '').length, 1);
}
