import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CONVENTIONAL_ROOT,
  discoverRoot,
  pathOnServer,
  restconfLinks,
} from '../../../plugins/restconf/root.js';
import type { AdapterContext } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';
import { problem } from '../../support/failing.js';
import { openedByTest } from '../../support/opened.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { contextFor, sendTo } from '../send.js';

const xrd = (href: string) => `<XRD><Link rel="restconf" href="${href}"/></XRD>`;
const { signal } = new AbortController();

/** A server with a reply for each path; it answers 404 to any other path. */
type Site = Readonly<
  Record<string, { readonly status?: number; readonly body?: string; readonly type?: string }>
>;

function serving(site: Site): { readonly send: AdapterContext['send']; readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    send: ({ method, path }) => {
      asked.push(`${method} ${path}`);
      const { status = site[path] ? 200 : 404, body = '', type } = site[path] ?? {};
      const headers = type === undefined ? {} : { 'content-type': type };
      return Promise.resolve({ status, headers, body: Buffer.from(body) });
    },
  };
}

const HOST_META = '/.well-known/host-meta';
/** Recorded from OpenDaylight netconf 7.0.7. */
const VERSION = { body: '{"ietf-restconf:yang-library-version":"2019-01-04"}' };

async function discovered(site: Site) {
  const { send, asked } = serving(site);
  const { context, lines } = contextFor(send);
  const root = await discoverRoot(context, signal);
  return { root, warned: lines.some(({ level }) => level === 'warn'), asked };
}

describe('discoverRoot', () => {
  const opened = openedByTest();
  it('requests XRD from a real server without credentials', async () => {
    const account = { username: 'u', password: 'p' };
    const double = await opened(createRestconfDouble({ ...account, tls: false, root: '/api/rests' }));
    const { context, lines } = contextFor(sendTo(double));
    assert.equal(await discoverRoot(context, signal), '/api/rests');
    assert.equal(double.requests[0]?.path, '/.well-known/host-meta');
    assert.equal(double.requests[0].headers.accept, 'application/xrd+xml');
    assert.deepEqual(lines[0]?.fields, { root: '/api/rests' });
  });

  const HREFS: readonly (readonly [href: string, root: string, warned: boolean])[] = [
    ['/restconf', '/restconf', false],
    ['/rests/', '/rests', false],
    ['/', '', false],
    ['api/restconf', '/api/restconf', false],
    ['/a%2Fb/c', '/a%2Fb/c', false],
    ['https://nso.example:8888/api', '/api', true],
    ['//nso.example/api/', '/api', true],
  ];
  const UNUSABLE = 'http://nso.example urn:restconf ftp://a/b /a?b /a#b /a/../b /a//b \\\\elsewhere\\x'.split(
    ' ',
  );
  it('returns the root of the link, with a warning for another server or a link that is not usable', async () => {
    const unusable = ['', '/a b', ...UNUSABLE].map((href) => [href, CONVENTIONAL_ROOT, true] as const);
    for (const [href, root, warned] of [...HREFS, ...unusable]) {
      const site = { [HOST_META]: { body: xrd(href) }, '/restconf/yang-library-version': VERSION };
      const found = await discovered(site);
      assert.deepEqual([found.root, found.warned], [root, warned], href);
    }
  });

  it('uses the first usable link', async () => {
    const site = { [HOST_META]: { body: xrd('/a b') + xrd('/second') } };
    assert.equal((await discovered(site)).root, '/second');
  });

  it('returns a conventional root that answers as RESTCONF if host-meta announces none', async () => {
    for (const status of [204, 301, 400, 401, 403, 404, 405, 406, 410, 500, 501])
      for (const root of ['/restconf', '/rests']) {
        const hostMeta = { status, body: xrd('/not-this') };
        const site = { [HOST_META]: hostMeta, [`${root}/yang-library-version`]: VERSION };
        assert.equal((await discovered(site)).root, root, String(status));
      }
  });

  it('accepts the data resource as proof from a server without yang-library-version', async () => {
    const found = await discovered({ '/rests/data': { type: 'application/yang-data+json' } });
    assert.equal(found.root, '/rests');
    assert.deepEqual(found.asked, [
      `GET ${HOST_META}`,
      'GET /restconf/yang-library-version',
      'GET /rests/yang-library-version',
      'HEAD /restconf/data',
      'HEAD /rests/data',
    ]);
  });

  it('rejects while no root answers, with every answer and the option (finding 1: 404 was final)', async () => {
    const page = { body: '<html>one page for every path</html>', type: 'text/html' };
    const pages = { [HOST_META]: page, '/restconf/yang-library-version': page, '/restconf/data': page };
    for (const [site, text] of [
      [
        {},
        /answered 404 to \/\.well-known\/host-meta, 404 to \/restconf\/yang-library-version, .*option 'root'/,
      ],
      [{ '/restconf/yang-library-version': { status: 503 } }, /503 to \/restconf\/yang-library-version/],
      [{ '/restconf/yang-library-version': { status: 403 } }, /403 to \/restconf\/yang-library-version/],
      [pages, /200 to \/restconf/],
    ] as const)
      await assert.rejects(discovered(site), problem('upstream_failed', text));
  });

  it('rejects refused credentials after two requests (finding 1: 401 was final)', async () => {
    const refused = { status: 401 };
    const site = { [HOST_META]: refused, '/restconf/yang-library-version': refused, '/rests/data': refused };
    const { send, asked } = serving(site);
    await assert.rejects(
      discoverRoot(contextFor(send).context, signal),
      problem('upstream_auth', /credentials refused: .* 401 to \/restconf\/yang-library-version/),
    );
    assert.equal(asked.length, 2);
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
  it('returns the path on the server for each root', () => {
    for (const [root, path, placed] of PATHS) assert.equal(pathOnServer(path, root), placed, path);
  });

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

const OLD = '<Link rel="restconf" href="/old"/>';
const DOCUMENTS: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ['RFC 8040 section 3.1', hostMetaOf("<Link rel='restconf' href='/restconf'/>"), ['/restconf']],
  ['attributes in any order', hostMetaOf('<Link href="/top" type="x" rel="restconf"></Link>'), ['/top']],
  ['a prefix', '<x:XRD xmlns:x="u"><x:Link rel="restconf" href="/p"/></x:XRD>', ['/p']],
  ['blanks and line breaks', hostMetaOf('<Link\n  rel = "restconf"\n\thref\n=\n"/lines"\n/>'), ['/lines']],
  ['entities', hostMetaOf('<Link rel="restconf" href="/a&amp;b&#47;c&#x2F;d"/>'), ['/a&b/c/d']],
  ['a > inside a value', hostMetaOf('<Link rel="restconf" title="a > b" href="/gt"/>'), ['/gt']],
  ['other relations', hostMetaOf('<Link rel="lrdd" href="/x"/><Link rel="restconfig" href="/y"/>'), []],
  ['several', hostMetaOf('<Link rel="restconf" href="/1"/><Link rel="restconf" href="/2"/>'), ['/1', '/2']],
  ['a comment', hostMetaOf(`<!-- ${OLD} --><Link rel="restconf" href="/new"/>`), ['/new']],
  ['an open comment', hostMetaOf(`<!-- ${OLD}`), []],
  ['CDATA', hostMetaOf(`<![CDATA[${OLD}]]>`), []],
  ['no href', hostMetaOf('<Link rel="restconf"/>'), []],
  ['a document type', `<!DOCTYPE XRD [<!ENTITY r "/e">]>${hostMetaOf(OLD.replace('/old', '&r;'))}`, []],
  ['a byte order mark', `\ufeff${hostMetaOf('<Link rel="restconf" href="/bom"/>')}`, ['/bom']],
  ['JRD (RFC 6415 appendix A)', '{"links":[{"rel":"a"},{"rel":"restconf","href":"/jrd"}]}', ['/jrd']],
  ['JRD of the wrong shape', '{"links":{"rel":"restconf","href":"/jrd"}}', []],
  ['JRD with an odd href', '{"links":[null,7,{"rel":"restconf","href":["/jrd"]}]}', []],
  ['an HTML page', '<!doctype html><html><body><a rel="restconf" href="/x">x</a></body></html>', []],
  ['nothing', '', []],
];

describe('restconf links of host-meta', () => {
  it('are found', () => {
    for (const [what, text, found] of DOCUMENTS) assert.deepEqual(links(text), found, what);
  });

  it('give back any href, escaped in either kind of quotes', () => {
    const escapes = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '"': '&quot;', "'": '&#39;' }));
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('"', "'"), (href, quote) => {
        const written = href.replaceAll(/[&<"']/g, (character) => escapes.get(character) ?? '');
        const link = `<Link rel=${quote}restconf${quote} href=${quote}${written}${quote}/>`;
        assert.deepEqual(links(hostMetaOf(link)), [href.trim()]);
      }),
    );
  });

  it('are read in linear time, and not at all from a document beyond 64 KiB', () => {
    for (const piece of ['<!--', '<Link ', '<Link a="', '<![CDATA[', '<a', ' ', '<Link rel = ', '&#'])
      assert.deepEqual(links(piece.repeat(65_000 / piece.length)), []);
    assert.deepEqual(links(hostMetaOf(`<Link rel="restconf" href="/x"/>${' '.repeat(65_536)}`)), []);
  });
});
