import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { BROWSER_TEST_MS, openBrowser, type TestBrowser } from '../support/browser.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

/** Starts a server with an empty page. */
async function openPages(): Promise<Listener & { readonly origin: string }> {
  const site = createServer((_, res) => res.setHeader('content-type', 'text/html').end('<!doctype html>'));
  const listener = await listenOnLoopback(site);
  return { ...listener, origin: `http://${listener.host}` };
}

describeWith(BROWSER, 'a page of another origin', function () {
  this.timeout(BROWSER_TEST_MS);
  let server: TestServer;
  let browser: TestBrowser;
  let portal: Awaited<ReturnType<typeof openPages>>;
  let foreign: Awaited<ReturnType<typeof openPages>>;
  const opened = openedBySuite();
  before(async () => {
    [portal, foreign] = [await opened(openPages()), await opened(openPages())];
    browser = await opened(openBrowser());
    server = await opened(
      startTestServer({
        folder: temporaryFolder().path,
        arrange(folder) {
          const file = join(folder, 'gatehouse.yaml');
          const settings = `cors: { origins: ["${portal.origin}"] }`;
          writeFileSync(file, readFileSync(file, 'utf8').replace('server: {', `server: { ${settings},`));
        },
      }),
    );
  });

  /** Sends a call from a page of the origin, and returns what the page learns. */
  const callFrom = async (origin: string): Promise<unknown> => {
    const { page, close } = await browser.look(origin);
    await page.goto(origin);
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${server.issueToken('admin')}`, 'content-type': 'application/json' },
      body: JSON.stringify(QUERY),
    };
    const learned = await page.evaluate(
      `fetch('${server.url}/orchestrator_manager/restQuery/core1', ${JSON.stringify(request)}).then(
        (reply) => ({ status: reply.status, hasId: reply.headers.has('x-request-id') }),
        (error) => error.name,
      )`,
    );
    await close();
    return learned;
  };

  it('calls an adapter if its origin is listed', async () => {
    assert.deepEqual(await callFrom(portal.origin), { status: 200, hasId: true });
  });

  it('reads nothing if its origin is not listed', async () => {
    const before = server.orchestrator.requests.length;
    assert.equal(await callFrom(foreign.origin), 'TypeError');
    assert.equal(server.orchestrator.requests.length, before);
  });
});
