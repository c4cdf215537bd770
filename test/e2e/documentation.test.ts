import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

const page = (title: string): string => `<!doctype html><title>${title}</title>`;

/** Calls a server whose documentation has two pages. */
async function withServer(
  more: string,
  work: (api: ReturnType<typeof request>) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder().path;
  const guideFolder = join(folder, 'guide');
  mkdirSync(guideFolder);
  writeFileSync(join(guideFolder, 'index.html'), page('Home'));
  writeFileSync(join(guideFolder, '404.html'), page('Missing'));
  const server = await startTestServer({ folder, guideFolder, main: { more } });
  try {
    await work(request(server.url));
  } finally {
    await server.close();
  }
}

describe('the documentation', () => {
  it('is public, and leaves the page of the API to callers with a token', () =>
    withServer('', async (api) => {
      const { text, headers } = await api.get('/docs/guide/').expect(200);
      assert.match(text, /<title>Home</);
      assert.match(String(headers['content-security-policy']), /script-src 'self';/);
      assert.match((await api.get('/docs/guide/none').expect(404)).text, /<title>Missing</);
      await api.get('/docs/guide').expect(308).expect('location', '/docs/guide/');
      await api.get('/docs').expect(401);
    }));
});
