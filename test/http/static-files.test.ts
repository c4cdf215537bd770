import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';
import { Problem } from '../../src/core/problem.js';
import { createGuideFiles, createStaticFiles, type StaticFiles } from '../../src/http/static-files.js';
import { listenOnLoopback } from '../support/loopback.js';
import { LINUX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { openedByTest } from '../support/opened.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const SCRIPT = 'console.log("served");'.repeat(100);

/** Serves static files; a request for a missing file ends with the status of the Problem, or 404. */
function serve(site: StaticFiles): Server {
  return createServer((req, res) => {
    site(req, res, (error) => {
      res.statusCode = error instanceof Problem ? error.status : 404;
      res.end(error instanceof Problem ? error.message : '');
    });
  });
}

/** Creates a folder with a page for each of these paths, a script, and a file next to the folder. */
function builtPages(pages: Readonly<Record<string, string>> = {}): string {
  const folder = join(temporaryFolder().path, 'pages');
  for (const name of ['assets', 'how-to']) mkdirSync(join(folder, name), { recursive: true });
  for (const [path, title] of Object.entries({ index: 'pages', ...pages }))
    writeFileSync(join(folder, `${path}.html`), `<!doctype html><title>${title}</title>`);
  writeFileSync(join(folder, 'assets', 'main-4f2a.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'main-4f2a.js.gz'), 'packed');
  writeFileSync(join(folder, '..', 'outside.txt'), 'not yours');
  return folder;
}

const pages = request(serve(createStaticFiles(builtPages())));
const guide = request(serve(createGuideFiles(builtPages({ 'how-to/install': 'Install', '404': 'Missing' }))));

for (const [name, create, site, page, command] of [
  ['the static file handler', createStaticFiles, pages, '/adapters', /npm run build/],
  ['the handler of the documentation', createGuideFiles, guide, '/how-to/install', /npm run site/],
] as const)
  describe(name, () => {
    it('restricts pages to their own scripts, styles and frames', async () => {
      for (const path of ['/', page, '/assets/main-4f2a.js']) {
        const { headers } = await site.get(path).set('accept-encoding', 'identity');
        const policy = String(headers['content-security-policy']).split('; ');
        for (const rule of [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-ancestors 'none'",
        ])
          assert.ok(policy.includes(rule), `${path}: ${rule}`);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'no-referrer');
      }
    });

    it('serves files with a hash in the name as immutable, and compressed if the browser accepts gzip', async () => {
      const plain = await site.get('/assets/main-4f2a.js').set('accept-encoding', 'identity');
      assert.equal(plain.text, SCRIPT);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      const packed = await site.head('/assets/main-4f2a.js').set('accept-encoding', 'gzip');
      assert.deepEqual(
        [packed.headers['content-encoding'], packed.headers['vary']],
        ['gzip', 'Accept-Encoding'],
      );
    });

    for (const path of ['/assets/none.js', '/assets/', '/assets/../../outside.txt'])
      it(`answers 404 for ${path}`, async () => {
        assert.equal((await site.get(path)).status, 404);
      });

    for (const path of [
      ...['/../outside.txt', '/%2e%2e/outside.txt', '/assets/..%2f..%2foutside.txt', '/..%5coutside'],
      ...['/%00', '/%c0%ae%c0%ae/outside'],
    ])
      it(`serves nothing outside of its folder: ${path}`, async () => {
        assert.doesNotMatch((await site.get(path)).text, /not yours/);
      });

    it('accepts only GET and HEAD', async () => {
      const { status, text } = await site.post('/').send('x');
      assert.deepEqual([status, text], [405, 'A page is read with GET.']);
    });

    it('explains how to build missing pages', async () => {
      const { status, text } = await request(serve(create(temporaryFolder().path))).get('/');
      assert.equal(status, 404);
      assert.match(text, command);
    });
  });

describe('the static file handler', () => {
  it('serves the pages of another version that replaced them (bug: their size was that of the former ones)', async () => {
    const folder = builtPages();
    const site = request(serve(createStaticFiles(folder)));
    await site.get('/');
    const page = '<!doctype html><title>the pages of the next version</title>';
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'assets', 'main-5b3c.js'), SCRIPT);
    assert.equal((await site.get('/')).text, page);
    assert.equal((await site.get('/assets/main-5b3c.js')).text, SCRIPT);
  });

  it('closes the connection if a file cannot be read (bug: an uncaught error, and no end of the response)', async () => {
    const folder = builtPages();
    const site = request(serve(createStaticFiles(folder)));
    const [assets, file] = [join(folder, 'assets'), join(folder, 'assets', 'main-4f2a.js')];
    utimesSync(assets, 1, 1);
    await site.get('/assets/main-4f2a.js').set('accept-encoding', 'identity');
    rmSync(file);
    utimesSync(assets, 1, 1);
    await assert.rejects(
      async () => site.get('/assets/main-4f2a.js').set('accept-encoding', 'identity'),
      /socket hang up|ECONNRESET/,
    );
  });

  for (const range of ['bytes=-3', 'bytes=5-2', 'bytes=0-0', 'items=1-2'])
    it(`answers "Range: ${range}" with the whole file (bug: wrong bytes, or a negative length)`, async () => {
      const { status, text, headers } = await pages
        .get('/assets/main-4f2a.js')
        .set({ range, 'accept-encoding': 'identity' });
      assert.deepEqual([status, text, headers['content-range']], [200, SCRIPT, undefined]);
    });

  for (const path of [
    ...['/', '/adapters/nso1?tab=log', '/forms/a/b', '/adapters/nso1.example.com'],
    ...['/profiles/v1.2', '/adapters/.hidden.js'],
  ])
    it(`answers ${path} with the page, which browsers revalidate`, async () => {
      const { status, text, headers } = await pages.get(path);
      assert.deepEqual([status, headers['cache-control']], [200, 'no-cache']);
      assert.match(text, /<title>pages/);
      assert.match(headers['etag'] ?? '', /./);
    });

  it('requires trusted types', async () => {
    const { headers } = await pages.get('/');
    assert.match(String(headers['content-security-policy']), /; require-trusted-types-for 'script'/);
  });

  it('lists no folder', async () => {
    assert.equal((await pages.get('/assets')).text, (await pages.get('/')).text);
  });
});

describe('the handler of the documentation', () => {
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
});

describe('finding F8: a client of static files', () => {
  const folder = builtPages();
  const large = join(folder, 'assets', 'large-1a2b.js');
  writeFileSync(large, 'x'.repeat(64 * 1024 * 1024));
  const opened = openedByTest();
  let accepted: Promise<Socket>;

  async function request(stallMs = 15_000) {
    const server = serve(createStaticFiles(folder, { stallMs }));
    const { port } = await opened(listenOnLoopback(server));
    accepted = once(server, 'connection').then(([connection]) => connection as Socket);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /assets/large-1a2b.js HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    return socket;
  }

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
