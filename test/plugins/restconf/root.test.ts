import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CONVENTIONAL_ROOT, discoverRoot, placePath } from '../../../plugins/restconf/root.js';
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

describe('restconf root discovery', () => {
  it('asks a real server, without credentials, for XRD', async () => {
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
    it(`makes ${root === '' ? '"" (the base URL)' : root} of href "${href}"${warned ? ', with a warning' : ''}`, async () => {
      assert.deepEqual(await discovered(200, xrd(href)), { root, warned });
    });
  }

  it('takes the first usable link', async () => {
    assert.equal((await discovered(200, xrd('/a b') + xrd('/second'))).root, '/second');
  });

  it('takes the conventional root when the server has no host-meta, or says nothing of RESTCONF', async () => {
    for (const status of [204, 301, 400, 401, 403, 404, 405, 406, 410, 501])
      assert.deepEqual(await discovered(status, xrd('/not-this')), {
        root: CONVENTIONAL_ROOT,
        warned: false,
      });
    assert.equal((await discovered(200, '<XRD/>')).root, CONVENTIONAL_ROOT);
  });

  it('rejects while the server cannot answer, so that the host asks again', async () => {
    for (const status of [429, 500, 502, 503])
      await assert.rejects(
        discovered(status, xrd('/x')),
        (e) => e instanceof Problem && e.code === 'upstream_failed',
      );
  });

  it('rejects with the Problem of the host when no reply came', async () => {
    const problem = new Problem('upstream_unreachable', 'nobody there');
    const { context } = contextFor(() => Promise.reject(problem));
    await assert.rejects(discoverRoot(context, signal), (error) => error === problem);
  });
});

describe('restconf paths', () => {
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
    it(`goes to ${placed} from ${path} with the root "${root}"`, () => {
      assert.equal(placePath(path, root), placed);
    });
  }

  it('is placed once: placing again changes nothing', () => {
    const roots = fc.constantFrom('/restconf', '/rests', '/api/restconf', '/restconf/v2');
    const segments = fc.array(fc.constantFrom('restconf', 'rests', 'api', 'v2', 'data', 'operations', 'a:b'));
    fc.assert(
      fc.property(roots, segments, (root, names) => {
        const placed = placePath(`/${names.join('/')}`, root);
        assert.equal(placePath(placed, root), placed);
      }),
    );
  });
});
