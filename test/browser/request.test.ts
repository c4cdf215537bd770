import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { callUrl } from '../support/call.js';
import { changeReplies, consoleFor, describePages } from '../support/console-errors.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import { arrived, assertFits, assertPartClean, focused, seen, within } from '../support/page-text.js';
import { clickMiddle, countedMouse } from '../support/pointer.js';

const ID = 'follow-this-call-1';

describePages('the drawer of a request', function () {
  let orchestrator: Listener;
  const opened = openedBySuite();
  before(async () => {
    const server = createServer((_req, res) => {
      res.writeHead(503, { 'content-type': 'application/json' });
      res.end('{"error":"the device r1 is locked by another session"}');
    });
    orchestrator = await opened(listenOnLoopback(server));
  });
  const site = consoleFor(this, {
    arrange(folder) {
      const lines = [
        'plugin: http-rest',
        `baseUrl: http://${orchestrator.host}`,
        'retry: { attempts: 2, statuses: [503], budgetPercent: 100 }',
      ];
      writeFileSync(join(folder, 'adapters', 'nso1.example.com.yaml'), `${lines.join('\n')}\n`);
    },
    fill: async ({ testServer }) => {
      const send = (id: string) =>
        callUrl(`${testServer.url}/orchestrator_manager/restQuery/nso1.example.com`, {
          token: testServer.issueToken('admin'),
          headers: { 'x-request-id': id },
          body: { params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/json' } },
        });
      assert.equal((await send(ID)).status, 502);
      for (let number = 0; number < 36; number += 1) await send(`other-call-${number}`);
    },
  });
  const drawerOf = (page: Page): Locator => page.getByRole('dialog', { name: `Request ${ID}` });

  it('tells in 2 clicks why a call of an adapter failed, with both attempts, and returns the focus on Escape', async () => {
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    const { click, clicks } = countedMouse(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nso1.ex');
    await page.keyboard.press('Enter');
    await arrived(page, 'nso1.example.com');
    await click(page.getByRole('tab', { name: 'Calls' }));
    const link = page.getByRole('link', { name: ID });
    await click(link.locator('code'));
    assert.equal(clicks(), 2);
    const drawer = drawerOf(page);
    await seen(drawer, '2 requests to the orchestrator');
    await seen(drawer, /device r1 is locked/);
    await seen(drawer, 'Retried, because the attempt before failed');
    await seen(drawer, /^Record \d/);
    await seen(drawer, '502 upstream_failed');
    assert.match(page.url(), new RegExp(`request=${ID}`));
    await within(drawer);
    await assertPartClean(drawer);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /request=/);
    await focused(link);
    await assertFits(page);
  });

  it('opens from the address on any page, fits a phone, and closes with its button', async () => {
    const { page } = await site.look(`/ui/health?request=${ID}`, { width: 390 });
    const drawer = drawerOf(page);
    await seen(drawer, '2 requests to the orchestrator');
    const box = await drawer.boundingBox();
    assert.equal(box?.width, 390);
    const isFitting =
      "document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth";
    assert.equal(await page.evaluate(isFitting), true);
    await assertFits(page);
    await clickMiddle(page, drawer.getByRole('button', { name: 'Close' }));
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    await assertFits(page);
  });

  it('copies a command that repeats the call, and a text for a chat', async () => {
    const { page } = await site.look(`/ui/adapters/nso1.example.com?tab=calls&request=${ID}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (name: string): Promise<string> => {
      await clickMiddle(page, drawerOf(page).getByRole('button', { name }));
      await seen(drawerOf(page), 'Copied');
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    assert.match(await copied('Copy as curl'), /^curl -X POST .*restQuery.*"path":"\/restconf\/data/);
    const chat = await copied('Copy for chat');
    assert.match(chat, new RegExp(`^Request ${ID}\\n`));
    assert.match(chat, /2\. http:.*: 503 after/);
    await assertFits(page);
  });

  it('says how many nodes did not answer, and opens the request again with the mouse', async () => {
    let silentNodes = 2;
    const { page, go } = await site.look(`/ui/health?request=${ID}`, {
      width: 390,
      // A cluster of one node has no node that could be silent.
      before: async (page) => {
        await changeReplies(page, '**/console/requests/**', (body: object) => ({ ...body, silentNodes }));
      },
    });
    const drawer = drawerOf(page);
    await seen(drawer, '2 nodes of the cluster did not answer');
    await seen(drawer, /A request that such a node served is missing here/);
    await seen(drawer, '2 requests to the orchestrator');
    silentNodes = 1;
    await clickMiddle(page, drawer.getByRole('button', { name: 'Ask again' }));
    await seen(drawer, 'One node of the cluster did not answer');
    silentNodes = 0;
    await clickMiddle(page, drawer.getByRole('button', { name: 'Ask again' }));
    await drawer.getByText(/of the cluster did not answer/).waitFor({ state: 'detached' });
    await seen(drawer, '2 requests to the orchestrator');
    silentNodes = 1;
    await go('/ui/health?request=mistyped');
    await seen(page, 'One node of the cluster did not answer');
    await page.getByRole('heading', { name: 'Nothing is known about this request' }).waitFor();
    await assertPartClean(page.getByRole('dialog'));
  });

  it('selects the calls of the time of a bar, and shows all again', async () => {
    const { page } = await site.look(
      '/ui/adapters/nso1.example.com?tab=calls&from=1970-01-01T00:00:01Z&to=1970-01-01T00:00:02Z',
    );
    await page.getByRole('heading', { name: 'No call matches the filters' }).waitFor();
    await clickMiddle(page, page.getByRole('button', { name: 'Show all calls' }));
    await page.getByRole('table', { name: 'Calls' }).waitFor();
    await assertFits(page);
  });
});
