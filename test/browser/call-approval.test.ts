import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import { connectLater } from '../support/mcp-client.js';
import { assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { connectAgent, restActionOf } from '../support/proposed-calls.js';
import { saveDraftAs, storedTask } from '../support/task-page.js';

const MCP = 'mcp: { enabled: true, operations: [orchestrator-manager.restAction], actions: task }\n';
const PATH = '/restconf/data/ietf-interfaces:interfaces';

describePages('the page of a call that a person approves', function () {
  const site = consoleFor(this, {
    arrange: (folder) => {
      appendFileSync(join(folder, 'gatehouse.yaml'), MCP);
    },
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
