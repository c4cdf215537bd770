import assert from 'node:assert/strict';
import { consoleFor } from '../support/console-errors.js';
import { assertFits, dialogOf, press } from '../support/page-text.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

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

describeWith([BROWSER, BUILT_PAGES], 'a task with default values from an orchestrator', function () {
  const site = consoleFor(this);

  it('fills empty fields, reports a missing default, and approves the displayed values', async () => {
    const { url, id } = (await site.ask('POST', '/json-forms/task/RenderJsonSchema', {
      jsonSchema: { type: 'object', properties: { uplink: text, spare: text, lost: text } },
      bindingSchema: {
        properties: { uplink: binding('core1'), spare: binding('core1'), lost: binding('nobody') },
      },
      formData: { spare: 'eth9' },
    })) as { readonly url: string; readonly id: string };
    const looked = await site.look(url);
    const { page } = looked;
    await page.getByRole('row', { name: /uplink.*eth0/ }).waitFor();
    await page.getByRole('row', { name: /spare.*eth9/ }).waitFor();
    await page.getByText('No default for /lost').first().waitFor();
    await page.getByText('1 change').first().waitFor();
    await assertFits(looked);
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await page.getByText('✓ Approved').waitFor();
    const { outcome } = (await site.ask('GET', `/json-forms/tasks/${id}`)) as {
      readonly outcome: { readonly export: unknown };
    };
    assert.deepEqual(outcome.export, { spare: 'eth9', uplink: 'eth0' });
  });
});
