import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';
import { Problem } from '../../src/core/problem.js';
import { createGuideFiles, createStaticFiles, type StaticFiles } from '../../src/http/static-files.js';
import { LINUX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const SCRIPT = 'console.log("served");'.repeat(100);

/** Serves static files; a request for a missing file ends with the status of the Problem, or 404. */
function serve(folder: string, stallMs = 15_000): Server {
  return serveWith(createStaticFiles(folder, { stallMs }));
}

function serveWith(site: StaticFiles): Server {
  return createServer((req, res) => {
    site(req, res, (error) => {
      res.statusCode = error instanceof Problem ? error.status : 404;
      res.end(error instanceof Problem ? error.message : '');
    });
  });
}

function builtPages(): string {
  const folder = temporaryFolder().path;
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>pages</title>');
  writeFileSync(join(folder, 'assets', 'main-4f2a.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'main-4f2a.js.gz'), 'packed');
  writeFileSync(join(folder, '..', 'outside.txt'), 'not yours');
  return folder;
}

describe('the static file handler', () => {
  const server = serve(builtPages());
  const site = request(server);

  for (const path of [
    '/',
    '/adapters',
    '/adapters/nso1?tab=log',
    '/forms/a/b',
    '/adapters/nso1.example.com',
    '/profiles/v1.2',
    '/adapters/.hidden.js',
  ])
    it(`answers ${path} with the page, which browsers revalidate`, async () => {
      const { status, text, headers } = await site.get(path);
      assert.equal(status, 200);
      assert.match(text, /<title>pages/);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.match(headers['etag'] ?? '', /./);
    });

  it('restricts pages to their own scripts, styles and frames', async () => {
    const { headers } = await site.get('/');
    const policy = String(headers['content-security-policy']).split('; ');
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  });

  it('serves files with a hash in the name as immutable, and compressed if the browser accepts gzip', async () => {
    const plain = await site.get('/assets/main-4f2a.js').set('accept-encoding', 'identity');
    assert.equal(plain.text, SCRIPT);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const packed = await site.head('/assets/main-4f2a.js').set('accept-encoding', 'gzip');
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers['vary'], 'Accept-Encoding');
  });

  for (const path of ['/assets/none.js', '/assets/', '/assets/../../outside.txt'])
    it(`answers 404 for ${path}`, async () => {
      assert.equal((await site.get(path)).status, 404);
    });

  for (const path of [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..%5coutside',
    '/%00',
    '/%c0%ae%c0%ae/outside',
  ])
    it(`serves nothing outside of its folder: ${path}`, async () => {
      assert.doesNotMatch((await site.get(path)).text, /not yours/);
    });

  it('lists no folder', async () => {
    assert.deepEqual((await site.get('/assets/')).text, '');
    assert.equal((await site.get('/assets')).text, (await site.get('/')).text);
  });

  it('accepts only GET and HEAD', async () => {
    const { status, text } = await site.post('/').send('x');
    assert.deepEqual([status, text], [405, 'A page is read with GET.']);
  });

  it('explains how to build missing pages', async () => {
    const { status, text } = await request(serve(temporaryFolder().path)).get('/');
    assert.equal(status, 404);
    assert.match(text, /npm run build/);
  });
});

function builtGuide(): string {
  const folder = builtPages();
  mkdirSync(join(folder, 'how-to'));
  writeFileSync(join(folder, 'how-to', 'install.html'), '<!doctype html><title>Install</title>');
  writeFileSync(join(folder, '404.html'), '<!doctype html><title>Missing</title>');
  return folder;
}

describe('the handler of the documentation', () => {
  const guide = request(serveWith(createGuideFiles(builtGuide())));

  for (const [path, title] of [
    ['/', 'pages'],
    ['/how-to/install', 'Install'],
    ['/how-to/install.html', 'Install'],
    ['/how-to/install?q=1', 'Install'],
  ] as const)
    it(`answers ${path} with its page, which browsers revalidate`, async () => {
      const { status, text, headers } = await guide.get(path);
      assert.deepEqual([status, headers['cache-control']], [200, 'no-cache']);
      assert.match(text, new RegExp(`<title>${title}<`));
      const { status: again } = await guide.get(path).set('if-none-match', headers['etag'] ?? '');
      assert.equal(again, 304);
    });

  it('answers a path without a page with the page for it, with status 404', async () => {
    const { status, text, headers } = await guide.get('/how-to/none');
    assert.equal(status, 404);
    assert.match(text, /<title>Missing</);
    assert.deepEqual(
      [headers['content-type'], headers['cache-control']],
      ['text/html; charset=utf-8', 'no-cache'],
    );
    const head = await guide.head('/how-to/none');
    assert.deepEqual([head.status, head.headers['content-length']], [404, headers['content-length']]);
  });

  for (const path of ['/', '/how-to/install', '/how-to/none', '/assets/main-4f2a.js'])
    it(`restricts scripts and styles to files of the server: ${path}`, async () => {
      const { headers } = await guide.get(path).set('accept-encoding', 'identity');
      const policy = String(headers['content-security-policy']).split('; ');
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.includes(rule), rule);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    });

  it('serves files with a hash in the name as immutable', async () => {
    const { headers } = await guide.head('/assets/main-4f2a.js');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await guide.get('/assets/none.js')).status, 404);
  });

  for (const path of [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/how-to/..%2f..%2foutside.txt',
    '/assets/../../outside.txt',
    '/..%5coutside',
    '/%00',
  ])
    it(`serves nothing outside of its folder: ${path}`, async () => {
      assert.doesNotMatch((await guide.get(path)).text, /not yours/);
    });

  it('accepts only GET and HEAD', async () => {
    assert.equal((await guide.post('/').send('x')).status, 405);
  });

  it('explains how to build missing pages', async () => {
    const { status, text } = await request(serveWith(createGuideFiles(temporaryFolder().path))).get('/');
    assert.equal(status, 404);
    assert.match(text, /npm run site/);
  });
});

describe('finding F8: a client of static files', () => {
  const folder = builtPages();
  const large = join(folder, 'assets', 'large-1a2b.js');
  writeFileSync(large, 'x'.repeat(64 * 1024 * 1024));
  let server: Server;
  let accepted: Promise<Socket>;

  async function request(stallMs?: number) {
    server = serve(folder, stallMs);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    accepted = once(server, 'connection').then(([connection]) => connection as Socket);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /assets/large-1a2b.js HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    return socket;
  }
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('loses its connection if it reads nothing', async () => {
    await request(20);
    const connection = await accepted;
    await until(() => connection.destroyed);
  });

  itWith(LINUX, 'leaves no file open when it disconnects', async () => {
    const socket = await request();
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === large;
        } catch {
          return false;
        }
      });
    assert.ok(isOpen());
    socket.destroy();
    await until(() => !isOpen());
  });
});
