import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { consoleFor, createForm, describePages } from '../support/console-errors.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import { arrived, button, dialogGone, dialogOf, focused, seen, settled } from '../support/page-text.js';
import { countedMouse } from '../support/pointer.js';
import { openTask } from '../support/task-page.js';

const NSO = 'nso1.example.com';
const ID = 'call-of-the-night-1234';

// Ten jobs of operators, by hand: the number of clicks of each is in docs/evidence/pages.md. The right to query and the limit of a
// caller are in stored-rules.test.ts.
describePages('the jobs of operators', function () {
  let orchestrator: Listener;
  const opened = openedBySuite();
  before(async () => {
    const server = createServer((request, response) => {
      const isLocked = request.url?.includes('interfaces') === true;
      response.writeHead(isLocked ? 409 : 200, { 'content-type': 'application/json' });
      response.end(isLocked ? '{"error":"the device r1 is locked by another session"}' : '{}');
    });
    orchestrator = await opened(listenOnLoopback(server));
  });
  const site = consoleFor(this, {
    arrange(folder) {
      for (let at = 1; at <= 36; at += 1)
        writeFileSync(
          join(folder, 'adapters', `nso${at}.example.com.yaml`),
          `plugin: http-rest\nbaseUrl: http://${orchestrator.host}\n`,
        );
    },
    fill: async ({ testServer }) => {
      const send = (id: string, path: string) =>
        callUrl(`${testServer.url}/orchestrator_manager/restQuery/${NSO}`, {
          token: testServer.issueToken('admin'),
          headers: { 'x-request-id': id },
          body: { params: { path, accept: 'application/json' } },
        });
      for (let at = 0; at < 36; at += 1) await send(`call-${at}`, '/devices');
      await send(ID, '/restconf/data/ietf-interfaces:interfaces');
    },
  });

  it('find why the calls of an adapter fail in 2 clicks', async () => {
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    const { click, clicks } = countedMouse(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nso1.ex');
    await page.keyboard.press('Enter');
    await arrived(page, NSO);
    await click(page.getByRole('tab', { name: 'Calls' }));
    await click(page.getByRole('link', { name: ID }));
    const drawer = page.getByRole('dialog', { name: `Request ${ID}` });
    await seen(drawer, /device r1 is locked/);
    assert.equal(clicks(), 2);
  });

  it('find one call by its id without a click', async () => {
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(ID);
    await page.keyboard.press('Enter');
    await seen(page.getByRole('dialog', { name: `Request ${ID}` }), /device r1 is locked/);
  });

  it('see that a rotated secret took in 1 click', async () => {
    const { page } = await site.look('/ui/secrets');
    await arrived(page, 'Secrets');
    const { click, clicks } = countedMouse(page);
    await click(button(page, 'Refresh now'));
    await seen(page.getByRole('row').filter({ hasText: 'core1' }), /OK/);
    assert.equal(clicks(), 1);
  });

  it('register an adapter of the catalog, tested first, in 6 clicks', async () => {
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    const { click, clicks } = countedMouse(page);
    await click(page.getByRole('link', { name: 'Adapters', exact: true }));
    await click(button(page, 'Register adapter'));
    await page.keyboard.type('Cisco NSO');
    await click(page.getByRole('button', { name: /^Cisco NSO/ }));
    await focused(page.getByLabel('Name', { exact: false }).first());
    await page.keyboard.type('nso99.example.com');
    await click(page.getByRole('textbox', { name: /^Base URL/ }).first());
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(`http://${orchestrator.host}`);
    await click(button(page, 'Test connection'));
    await seen(page, /The connection/);
    await click(button(page, 'Register adapter'));
    await arrived(page, 'nso99.example.com');
    await settled(page);
    assert.equal(clicks(), 6);
  });

  it('suspend the calls of an adapter with an end in 4 clicks', async () => {
    const { page } = await site.look('/ui/adapters/nso2.example.com');
    await arrived(page, 'nso2.example.com');
    const { click, clicks } = countedMouse(page);
    await click(button(page, 'Actions for nso2.example.com'));
    await click(page.getByRole('menuitem', { name: 'Pause (queue calls)' }));
    const dialog = await dialogOf(page);
    await click(dialog.getByLabel('Until', { exact: true }));
    await page.keyboard.type('1 h');
    await page.keyboard.press('Enter');
    await click(button(dialog, 'Pause'));
    await dialogGone(page);
    await seen(page, /Paused by .* until/);
    assert.equal(clicks(), 4);
  });

  it('find who changed an adapter, and roll back', async () => {
    const name = 'nso88.example.com';
    const settings = (port: number) => ({ baseUrl: `http://127.0.0.1:${port}`, auth: { type: 'none' } });
    await site.ask('POST', '/adapters', {
      properties: { name, model: 'http-rest', properties: { properties: settings(81) } },
    });
    await site.ask('PUT', `/adapters/${name}`, {
      properties: { properties: { properties: settings(82) } },
      comment: 'a wrong port',
    });
    const { page } = await site.look('/ui/');
    await arrived(page, 'Overview');
    const { click, clicks } = countedMouse(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nso88');
    await page.keyboard.press('Enter');
    await arrived(page, name);
    await click(page.getByRole('tab', { name: 'History' }));
    await seen(page, 'a wrong port');
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('button');
    await click(versions.nth(1));
    await click(button(page, /^Roll back to version/));
    await click(button(await dialogOf(page), /^Roll back to version/));
    await dialogGone(page);
    await seen(page, /^Rolled back to version \d+$/);
    assert.equal(clicks(), 4);
  });

  it('approve a task on a phone in 3 touches', async () => {
    const form = await createForm(site.ask, {
      name: 'VLAN',
      struct: { schema: { type: 'object', properties: { vlan: { type: 'integer', title: 'VLAN id' } } } },
    });
    await openTask(site, 'ShowJsonForm', {
      form_id: form.id,
      instance_data: { vlan: 1234 },
      title: 'VLAN 1234',
    });
    const { page } = await site.look('/ui/tasks', { width: 390, height: 844 });
    await arrived(page, 'Tasks');
    const { click, clicks } = countedMouse(page);
    await click(page.getByRole('link', { name: 'VLAN 1234' }));
    await click(button(page, 'Approve…'));
    await click(button(await dialogOf(page), 'Approve'));
    await page.getByRole('status').filter({ hasText: 'Approved' }).waitFor();
    assert.equal(clicks(), 3);
  });

  it('export the audit trail in 1 click', async () => {
    const { page } = await site.look('/ui/audit');
    await arrived(page, 'Audit');
    const { click, clicks } = countedMouse(page);
    const download = page.waitForEvent('download');
    await click(page.getByRole('link', { name: 'Export CSV' }));
    assert.match((await download).suggestedFilename(), /\.csv$/);
    assert.equal(clicks(), 1);
  });
});
