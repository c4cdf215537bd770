import assert from 'node:assert/strict';
import { consoleFor, describePages } from '../support/console-errors.js';
import { assertFits, dialogOf, press } from '../support/page-text.js';
import { createTask, storedTask } from '../support/task-page.js';

/** Returns a binding to the interfaces of an orchestrator, or to an adapter that does not exist. */
function binding(adapter: string) {
  const params = { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' };
  const href = `restQuery/${adapter}`;
  return {
    'binding:method': 'POST',
    'binding:target': '/default',
    'binding:source': {
      propertyPointer: '/ietf-interfaces:interfaces/interface',
      keyPointer: '/name',
    },
    'binding:hyperSchema': {
      base: '/orchestrator_manager/',
      links: [{ rel: 'item', href, variables: { params } }],
    },
  };
}

const text = { type: 'string' };

describePages('a task with default values from an orchestrator', function () {
  const site = consoleFor(this);

  it('fills empty fields, reports a missing default, and approves the displayed values', async () => {
    const { id, path } = await createTask(site, {
      jsonSchema: { type: 'object', properties: { uplink: text, spare: text, lost: text } },
      bindingSchema: {
        properties: { uplink: binding('core1'), spare: binding('core1'), lost: binding('nobody') },
      },
      formData: { spare: 'eth9' },
    });
    const { page } = await site.look(path);
    await page.getByRole('row', { name: /uplink.*eth0/ }).waitFor();
    await page.getByRole('row', { name: /spare.*eth9/ }).waitFor();
    await page.getByText('No default for /lost').first().waitFor();
    await page.getByText('1 change').first().waitFor();
    await assertFits(page);
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await page.getByText('✓ Approved').waitFor();
    assert.deepEqual((await storedTask(site, id)).outcome?.export, { spare: 'eth9', uplink: 'eth0' });
  });
});
