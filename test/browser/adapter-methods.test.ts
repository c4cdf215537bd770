import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import { connectEarlier, connectLater } from '../support/mcp-client.js';
import { methodPlugin, SERVICE_METHODS } from '../support/method-plugin.js';
import { arrived, assertFits, assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { connectAgent, restActionOf } from '../support/proposed-calls.js';
import { saveDraftAs, storedTask } from '../support/task-page.js';

const MCP =
  'mcp: { enabled: true, adapters: [nms1], operations: [orchestrator-manager.restAction], actions: task }\n';
const PHONE = { width: 390, height: 844 };

const PATH = '/restconf/data/ietf-interfaces:interfaces';

describePages('methods of adapters', function () {
  const many = Array.from({ length: 90 }, (_, at) => ({
    name: `getPort${at}`,
    summary: `Get port ${at}.`,
    input: { type: 'object', properties: {} },
  }));
  const { pluginFolder, file, calls } = methodPlugin([...many, ...SERVICE_METHODS]);
  const site = consoleFor(this, {
    pluginFolder,
    adapters: { nms1: file },
    arrange: (folder) => {
      appendFileSync(join(folder, 'gatehouse.yaml'), MCP);
    },
  });

  it('are called in the tab Try with a form, which shows errors at its fields, after a question', async () => {
    const { page } = await site.look('/ui/adapters/nms1?tab=try');
    await clickMiddle(page, page.getByText('Method of the adapter'));
    await page.getByRole('combobox', { name: /^Method/ }).fill('scaleServic');
    await seen(page, /1 method with this text/);
    await page.getByRole('combobox', { name: /^Method/ }).fill('scaleService');
    await seen(page, /Scale a service\./);
    await page.getByRole('textbox', { name: /Number of instances/ }).fill('12');
    await assertPartClean(page.getByRole('main'));
    const before = calls().length;
    await clickMiddle(page, button(page, 'Call'));
    await press(await dialogOf(page), 'Call');
    await seen(page, /400 invalid_request/);
    await seen(page, /at most 9|must be at most|≤ 9|9 or less/i);
    assert.equal(calls().length, before);
    await page.getByRole('textbox', { name: /Number of instances/ }).fill('3');
    await page.getByRole('textbox', { name: /Name of the service/ }).fill('web');
    await page.keyboard.press('Tab');
    await clickMiddle(page, button(page, 'Call'));
    await press(await dialogOf(page), 'Call');
    await seen(page, '200 OK');
    assert.deepEqual(calls().at(-1)?.args, { service: { name: 'web' }, instances: 3 });
  });

  it('fit a phone, and a method that only reads is called without a question', async () => {
    const { page } = await site.look('/ui/adapters/nms1?tab=try', PHONE);
    await page.getByText('Method of the adapter').click();
    await page.getByRole('combobox', { name: /^Method/ }).fill('getService');
    await page.getByRole('textbox', { name: /Id of the service/ }).fill('web');
    await page.keyboard.press('Tab');
    await assertFits(page);
    await clickMiddle(page, button(page, 'Call'));
    await seen(page, '200 OK');
    assert.deepEqual(calls().at(-1), { method: 'getService', args: { id: 'web' } });
  });

  it('become forms, which a task can give to a person', async () => {
    const { page } = await site.look('/ui/forms?create=empty');
    const dialog = await dialogOf(page);
    await dialog.getByText('Method of an adapter').click();
    await dialog.getByRole('combobox', { name: 'Adapter' }).fill('nms1');
    await dialog.getByRole('combobox', { name: /^Method/ }).fill('scaleService');
    await seen(page, /Scale a service\./);
    await press(dialog, 'Create');
    await arrived(page, 'nms1 scaleService');
    const [form] = (await site.ask('GET', '/json-forms/forms')) as { schema: { properties: object } }[];
    assert.deepEqual(Object.keys(form?.schema.properties ?? {}), ['service', 'instances']);
  });

  it('are called by an agent after a person has seen the filled form', async () => {
    const { testServer } = site;
    const token = testServer.issueTokenFor('agent', 'admin');
    const agent = await connectEarlier(testServer.url, token);
    const tool = (await agent.list()).find(({ name }) => name === 'nms1__scaleService');
    assert.ok(tool);
    const sent = { service: { name: 'db' }, instances: 4 };
    const proposal = await agent.call(tool.name, sent);
    const { task = '', approval } = JSON.parse(proposal.texts[0] ?? '') as Readonly<Record<string, string>>;
    const { pathname, search, searchParams } = new URL(task);
    const { page } = await site.look(pathname + search, {
      token: testServer.issueTokenFor('grace', 'admin'),
      formView: 'none',
    });
    for (const text of ['Arguments as a form', 'Name of the service', 'Number of instances'])
      await seen(page, text);
    await seen(page, 'scaleService');
    assert.equal(await page.locator('main textarea:not([readonly]):not([disabled])').count(), 0);
    assert.equal(
      await page.locator('main input:not([readonly]):not([disabled]):not([type=search])').count(),
      0,
    );
    await assertPartClean(page.getByRole('main'));
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');
    assert.equal((await storedTask(site, searchParams.get('task') ?? '')).draft, null);
    const before = calls().length;
    const done = await agent.call(tool.name, { ...sent, approval });
    assert.equal(done.isError, false, done.texts.join());
    assert.deepEqual(calls().slice(before), [{ method: 'scaleService', args: sent }]);
    assert.equal((await agent.call(tool.name, { ...sent, approval })).isError, true);
    assert.equal(calls().length, before + 1);
    await agent.close();
  });

  it('shows the call above its arguments, without drafts, and approves what it shows (bug: an agent redrew it)', async () => {
    const { testServer } = site;
    const { url, orchestrator } = testServer;
    const agent = await connectLater(url, testServer.issueTokenFor('agent', 'admin', 'engineering'));
    const params = { path: PATH, accept: 'application/yang-data+json', method: 'PATCH' };
    const sent = { adapterId: 'core1', params, body: {} };
    const proposal = await agent.call('restAction', sent);
    const { task, approval } = JSON.parse(proposal.texts[0] ?? '') as Readonly<Record<string, string>>;
    const { pathname, search, searchParams } = new URL(task ?? '');
    const id = searchParams.get('task') ?? '';
    await assert.rejects(saveDraftAs(site, 'agent', { id, formData: { operation: 'read the time' } }));

    const { page } = await site.look(pathname + search, {
      token: testServer.issueTokenFor('grace', 'admin'),
    });
    for (const text of ['agent', 'core1', `PATCH ${PATH}`, '2 bytes']) await seen(page, text);
    assert.equal(await button(page, 'Save draft').count(), 0);
    assert.equal(await page.locator('main textarea:not([readonly]):not([disabled])').count(), 0);
    await page.keyboard.press('Control+s');
    await assertPartClean(page.getByRole('main'));
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');

    assert.equal((await storedTask(site, id)).draft, null);
    const before = orchestrator.requests.length;
    const done = await agent.call('restAction', { ...sent, approval });
    assert.equal(done.isError, false, done.texts.join());
    assert.ok(orchestrator.requests.length > before);
    await agent.close();
  });

  it('says why to a person whom the access rules refuse the call (bug: a rule for another adapter let approve)', async () => {
    const { testServer } = site;
    const properties = {
      adapters: ['lab1'],
      roles: ['engineering'],
      operations: ['orchestrator-manager.restAction'],
    };
    await testServer.ask('PUT /access/rules/eng-lab', { properties, comment: 'the laboratory' });
    const agent = await connectAgent(testServer, 'admin');
    const { task } = await agent.propose('restAction', restActionOf('core1', 'DELETE', PATH));
    await agent.close();
    const { pathname, search } = new URL(task);
    const { page } = await site.look(pathname + search, {
      token: testServer.issueTokenFor('eve', 'engineering'),
    });
    await seen(page, `DELETE ${PATH}`);
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, /neither the main configuration nor a stored access rule .* admits DELETE/);
    assert.equal(await page.getByText('✓ Approved').count(), 0);
  });
});
