import assert from 'node:assert/strict';
import { nextLink } from '../../src/lib/link-header.js';

describe('the link to the next page', () => {
  it('is found in every form of RFC 8288', () => {
    const headers: readonly (readonly [header: string | readonly string[], target: string])[] = [
      ['<https://h/a?page=2>; rel="next", <https://h/a?page=9>; rel="last"', 'https://h/a?page=2'],
      ['<https://h/a>;rel="first",<https://h/b>;rel="next"', 'https://h/b'],
      [['</first>; rel=first', '</n>; rel=next'], '/n'],
      ['<?a=1,2;3>; title="x, <y>; rel=prev"; REL="Prefetch NEXT"', '?a=1,2;3'],
      ['<a> ; rel = next', 'a'],
      [String.raw`<a>; title="\"; rel=no"; rel=next`, 'a'],
      ['<>; rel=next', ''],
    ];
    for (const [header, target] of headers) assert.equal(nextLink(header), target, String(header));
  });

  it('is none of another relation, of another context, and of a second parameter', () => {
    for (const header of [
      undefined,
      [],
      '',
      '</a>; rel="nextpage"',
      '</a>; rel=prev; rel=next',
      '</a>; rel=next; anchor="/other"',
      '</a>; title="rel=next"',
      '/a; rel=next',
      '</a rel=next',
    ])
      assert.equal(nextLink(header), undefined, String(header));
  });

  it('is looked for in linear time', () => {
    for (const part of ['<', '<a>;', '<a>; x="', ';', '"', '\\"', ' ', 'rel='])
      assert.equal(nextLink(part.repeat(20_000)), undefined);
  });
});
