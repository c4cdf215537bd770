import assert from 'node:assert/strict';
import fc from 'fast-check';
import { restconfLinks } from '../../../plugins/restconf/host-meta.js';

const links = (text: string) => restconfLinks(Buffer.from(text));
const xrd = (inner: string) =>
  `<?xml version="1.0"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${inner}</XRD>`;

const DOCUMENTS: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ['RFC 8040 section 3.1', xrd("<Link rel='restconf' href='/restconf'/>"), ['/restconf']],
  ['attributes in any order', xrd('<Link href="/top" type="x" rel="restconf"></Link>'), ['/top']],
  ['a prefix', '<x:XRD xmlns:x="u"><x:Link rel="restconf" href="/p"/></x:XRD>', ['/p']],
  ['blanks and line breaks', xrd('<Link\n  rel = "restconf"\n\thref\n=\n"/lines"\n/>'), ['/lines']],
  ['entities', xrd('<Link rel="restconf" href="/a&amp;b&#47;c&#x2F;d"/>'), ['/a&b/c/d']],
  ['a > inside a value', xrd('<Link rel="restconf" title="a > b" href="/gt"/>'), ['/gt']],
  ['other relations', xrd('<Link rel="lrdd" href="/x"/><Link rel="restconfig" href="/y"/>'), []],
  ['several', xrd('<Link rel="restconf" href="/1"/><Link rel="restconf" href="/2"/>'), ['/1', '/2']],
  [
    'a comment',
    xrd('<!-- <Link rel="restconf" href="/old"/> --><Link rel="restconf" href="/new"/>'),
    ['/new'],
  ],
  ['an open comment', xrd('<!-- <Link rel="restconf" href="/old"/>'), []],
  ['CDATA', xrd('<![CDATA[<Link rel="restconf" href="/old"/>]]>'), []],
  ['no href', xrd('<Link rel="restconf"/>'), []],
  ['a document type', `<!DOCTYPE XRD [<!ENTITY r "/e">]>${xrd('<Link rel="restconf" href="&r;"/>')}`, []],
  ['a byte order mark', `\ufeff${xrd('<Link rel="restconf" href="/bom"/>')}`, ['/bom']],
  ['JRD (RFC 6415 appendix A)', '{"links":[{"rel":"a"},{"rel":"restconf","href":"/jrd"}]}', ['/jrd']],
  ['JRD of the wrong shape', '{"links":{"rel":"restconf","href":"/jrd"}}', []],
  ['JRD with an odd href', '{"links":[null,7,{"rel":"restconf","href":["/jrd"]}]}', []],
  ['an HTML page', '<!doctype html><html><body><a rel="restconf" href="/x">x</a></body></html>', []],
  ['nothing', '', []],
];

describe('restconf links of host-meta', () => {
  for (const [what, text, found] of DOCUMENTS) {
    it(`are found: ${what}`, () => {
      assert.deepEqual(links(text), found);
    });
  }

  it('give back any href, escaped in either kind of quotes', () => {
    const escapes = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '"': '&quot;', "'": '&#39;' }));
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('"', "'"), (href, quote) => {
        const written = href.replaceAll(/[&<"']/g, (character) => escapes.get(character) ?? '');
        assert.deepEqual(links(xrd(`<Link rel=${quote}restconf${quote} href=${quote}${written}${quote}/>`)), [
          href.trim(),
        ]);
      }),
    );
  });

  it('are read in linear time, and not at all from a document beyond 64 KiB', () => {
    for (const piece of ['<!--', '<Link ', '<Link a="', '<![CDATA[', '<a', ' ', '<Link rel = ', '&#'])
      assert.deepEqual(links(piece.repeat(65_000 / piece.length)), []);
    assert.deepEqual(links(xrd(`<Link rel="restconf" href="/x"/>${' '.repeat(65_536)}`)), []);
  });
});
