import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CONVENTIONAL_ROOT,
  discoverRoot,
  pathOnServer,
  restconfLinks,
} from '../../../plugins/restconf/root.js';
import { Problem } from '../../../src/core/problem.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { answering, contextFor, sendTo } from '../send.js';

const xrd = (href: string) => `<XRD><Link rel="restconf" href="${href}"/></XRD>`;
const { signal } = new AbortController();

async function discovered(status: number, body?: string) {
  const { context, lines } = contextFor(answering(status, body));
  const root = await discoverRoot(context, signal);
  return { root, warned: lines.some(({ level }) => level === 'warn') };
}

describe('discoverRoot', () => {
  it('requests XRD from a real server without credentials', async () => {
    const double = await createRestconfDouble({
      username: 'u',
      password: 'p',
      tls: false,
      root: '/api/rests',
    });
    try {
      const { context, lines } = contextFor(sendTo(double));
      assert.equal(await discoverRoot(context, signal), '/api/rests');
      assert.equal(double.requests[0]?.path, '/.well-known/host-meta');
      assert.equal(double.requests[0].headers.accept, 'application/xrd+xml');
      assert.deepEqual(lines[0]?.fields, { status: 200, root: '/api/rests' });
    } finally {
      await double.close();
    }
  });

  const HREFS: readonly (readonly [href: string, root: string, warned: boolean])[] = [
    ['/restconf', '/restconf', false],
    ['/rests/', '/rests', false],
    ['/', '', false],
    ['api/restconf', '/api/restconf', false],
    ['/a%2Fb/c', '/a%2Fb/c', false],
    ['https://nso.example:8888/api', '/api', true],
    ['//nso.example/api/', '/api', true],
    ['http://nso.example', CONVENTIONAL_ROOT, true],
    ['urn:restconf', CONVENTIONAL_ROOT, true],
    ['ftp://a/b', CONVENTIONAL_ROOT, true],
    ['', CONVENTIONAL_ROOT, true],
    ['/a?b', CONVENTIONAL_ROOT, true],
    ['/a#b', CONVENTIONAL_ROOT, true],
    ['/a/../b', CONVENTIONAL_ROOT, true],
    ['/a//b', CONVENTIONAL_ROOT, true],
    ['/a b', CONVENTIONAL_ROOT, true],
    ['\\\\elsewhere\\x', CONVENTIONAL_ROOT, true],
  ];
  for (const [href, root, warned] of HREFS) {
    it(`returns ${root === '' ? '"" (the base URL)' : root} for href "${href}"${warned ? ', with a warning' : ''}`, async () => {
      assert.deepEqual(await discovered(200, xrd(href)), { root, warned });
    });
  }

  it('uses the first usable link', async () => {
    assert.equal((await discovered(200, xrd('/a b') + xrd('/second'))).root, '/second');
  });

  it('returns the conventional root if the server has no host-meta or no RESTCONF link', async () => {
    for (const status of [204, 301, 400, 401, 403, 404, 405, 406, 410, 501])
      assert.deepEqual(await discovered(status, xrd('/not-this')), {
        root: CONVENTIONAL_ROOT,
        warned: false,
      });
    assert.equal((await discovered(200, '<XRD/>')).root, CONVENTIONAL_ROOT);
  });

  it('rejects while the server is unavailable, so that the host retries', async () => {
    for (const status of [429, 500, 502, 503])
      await assert.rejects(
        discovered(status, xrd('/x')),
        (e) => e instanceof Problem && e.code === 'upstream_failed',
      );
  });

  it('rejects with the Problem of the host when no reply arrives', async () => {
    const problem = new Problem('upstream_unreachable', 'nobody there');
    const { context } = contextFor(() => Promise.reject(problem));
    await assert.rejects(discoverRoot(context, signal), (error) => error === problem);
  });
});

describe('placePath', () => {
  const PATHS: readonly (readonly [root: string, path: string, placed: string])[] = [
    ['/restconf', '/restconf/data/a:b', '/restconf/data/a:b'],
    ['/restconf', '/data/a:b=c%2Fd?depth=1', '/restconf/data/a:b=c%2Fd?depth=1'],
    ['/restconf', '/jsonrpc/login', '/jsonrpc/login'],
    ['/rests', '/restconf/data/a:b=c%2Fd', '/rests/data/a:b=c%2Fd'],
    ['/rests', '/restconf', '/rests'],
    ['/rests', '/restconf?depth=1', '/rests?depth=1'],
    ['/rests', '/restconf/', '/rests/'],
    ['/rests', '/rests/data', '/rests/data'],
    ['/rests', '/operations/m:rpc', '/rests/operations/m:rpc'],
    ['/rests', '/yang-library-version', '/rests/yang-library-version'],
    ['/rests', '/streams/NETCONF', '/rests/streams/NETCONF'],
    ['/rests', '/data?content=config', '/rests/data?content=config'],
    ['/rests', '/.well-known/host-meta', '/.well-known/host-meta'],
    ['/rests', '/restconfig/data', '/restconfig/data'],
    ['/rests', '/database', '/database'],
    ['/rests', '/other/restconf/data', '/other/restconf/data'],
    ['/restconf/v2', '/restconf/data', '/restconf/v2/data'],
    ['/restconf/v2', '/restconf/v2/data', '/restconf/v2/data'],
    ['', '/restconf/data', '/data'],
    ['', '/restconf', '/'],
    ['', '/restconf?depth=1', '/?depth=1'],
    ['', '/data', '/data'],
    ['/data', '/data/x', '/data/x'],
  ];
  for (const [root, path, placed] of PATHS) {
    it(`returns ${placed} for ${path} with the root "${root}"`, () => {
      assert.equal(pathOnServer(path, root), placed);
    });
  }

  it('is idempotent', () => {
    const roots = fc.constantFrom('/restconf', '/rests', '/api/restconf', '/restconf/v2');
    const segments = fc.array(fc.constantFrom('restconf', 'rests', 'api', 'v2', 'data', 'operations', 'a:b'));
    fc.assert(
      fc.property(roots, segments, (root, names) => {
        const placed = pathOnServer(`/${names.join('/')}`, root);
        assert.equal(pathOnServer(placed, root), placed);
      }),
    );
  });
});

const links = (text: string) => restconfLinks(Buffer.from(text));
const hostMetaOf = (inner: string) =>
  `<?xml version="1.0"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${inner}</XRD>`;

const DOCUMENTS: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ['RFC 8040 section 3.1', hostMetaOf("<Link rel='restconf' href='/restconf'/>"), ['/restconf']],
  ['attributes in any order', hostMetaOf('<Link href="/top" type="x" rel="restconf"></Link>'), ['/top']],
  ['a prefix', '<x:XRD xmlns:x="u"><x:Link rel="restconf" href="/p"/></x:XRD>', ['/p']],
  ['blanks and line breaks', hostMetaOf('<Link\n  rel = "restconf"\n\thref\n=\n"/lines"\n/>'), ['/lines']],
  ['entities', hostMetaOf('<Link rel="restconf" href="/a&amp;b&#47;c&#x2F;d"/>'), ['/a&b/c/d']],
  ['a > inside a value', hostMetaOf('<Link rel="restconf" title="a > b" href="/gt"/>'), ['/gt']],
  ['other relations', hostMetaOf('<Link rel="lrdd" href="/x"/><Link rel="restconfig" href="/y"/>'), []],
  ['several', hostMetaOf('<Link rel="restconf" href="/1"/><Link rel="restconf" href="/2"/>'), ['/1', '/2']],
  [
    'a comment',
    hostMetaOf('<!-- <Link rel="restconf" href="/old"/> --><Link rel="restconf" href="/new"/>'),
    ['/new'],
  ],
  ['an open comment', hostMetaOf('<!-- <Link rel="restconf" href="/old"/>'), []],
  ['CDATA', hostMetaOf('<![CDATA[<Link rel="restconf" href="/old"/>]]>'), []],
  ['no href', hostMetaOf('<Link rel="restconf"/>'), []],
  [
    'a document type',
    `<!DOCTYPE XRD [<!ENTITY r "/e">]>${hostMetaOf('<Link rel="restconf" href="&r;"/>')}`,
    [],
  ],
  ['a byte order mark', `\ufeff${hostMetaOf('<Link rel="restconf" href="/bom"/>')}`, ['/bom']],
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
        assert.deepEqual(
          links(hostMetaOf(`<Link rel=${quote}restconf${quote} href=${quote}${written}${quote}/>`)),
          [href.trim()],
        );
      }),
    );
  });

  it('are read in linear time, and not at all from a document beyond 64 KiB', () => {
    for (const piece of ['<!--', '<Link ', '<Link a="', '<![CDATA[', '<a', ' ', '<Link rel = ', '&#'])
      assert.deepEqual(links(piece.repeat(65_000 / piece.length)), []);
    assert.deepEqual(links(hostMetaOf(`<Link rel="restconf" href="/x"/>${' '.repeat(65_536)}`)), []);
  });
});
