import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Writes a site of two pages. */
function builtGuide(folder: string): string {
  const guide = join(folder, 'guide');
  mkdirSync(join(guide, 'reference'), { recursive: true });
  writeFileSync(join(guide, 'index.html'), '<!doctype html><title>Home</title>');
  writeFileSync(join(guide, '404.html'), '<!doctype html><title>Missing</title>');
  writeFileSync(join(guide, 'reference', 'glossary.html'), '<!doctype html><title>Glossary</title>');
  return guide;
}

interface Setting {
  readonly isBuilt?: boolean;
  readonly more?: string;
}

function startWith({ isBuilt = true, more = '' }: Setting): Promise<TestServer> {
  const folder = temporaryFolder().path;
  return startTestServer({
    folder,
    guideFolder: isBuilt ? builtGuide(folder) : join(folder, 'none'),
    arrange(configFolder) {
      const file = join(configFolder, 'gatehouse.yaml');
      appendFileSync(file, more);
    },
  });
}

describe('the documentation', () => {
  let server: TestServer;
  before(async () => {
    server = await startWith({});
  });
  after(() => server.close());

  it('is public', async () => {
    for (const [path, title] of [
      ['/docs/guide/', 'Home'],
      ['/docs/guide/reference/glossary', 'Glossary'],
    ] as const) {
      const { status, text, headers } = await request(server.url).get(path);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<title>${title}<`));
      assert.match(String(headers['content-security-policy']), /script-src 'self';/);
    }
  });

  it('answers a path without a page with a page', async () => {
    const { status, text } = await request(server.url).get('/docs/guide/none');
    assert.equal(status, 404);
    assert.match(text, /<title>Missing</);
  });

  it('leads to its home page without the slash as well', async () => {
    const { status, headers } = await request(server.url).get('/docs/guide');
    assert.deepEqual([status, headers['location']], [308, '/docs/guide/']);
  });

  it('leaves the page of the API to callers with a token', async () => {
    assert.equal((await request(server.url).get('/docs')).status, 401);
  });
});

describe('a server without built documentation', () => {
  it('answers with a problem that names the command', async () => {
    const server = await startWith({ isBuilt: false });
    try {
      const reply = await request(server.url).get('/docs/guide/');
      const { code, detail } = reply.body as { readonly code: string; readonly detail: string };
      assert.deepEqual([reply.status, code], [404, 'not_found']);
      assert.match(detail, /npm run site/);
    } finally {
      await server.close();
    }
  });
});

describe('a server without pages', () => {
  it('serves no documentation', async () => {
    const server = await startWith({ more: 'console: { enabled: false }\n' });
    try {
      const reply = await request(server.url).get('/docs/guide/');
      assert.equal(reply.status, 404);
      assert.match((reply.body as { readonly detail: string }).detail, /^No operation has this path/);
    } finally {
      await server.close();
    }
  });
});
