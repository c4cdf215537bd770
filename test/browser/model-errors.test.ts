import assert from 'node:assert/strict';
import { consoleFor, describePages } from '../support/console-errors.js';
import { assertFits, assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { openTask, storedTask, writeRow } from '../support/task-page.js';
import { yang11 } from '../support/yang.js';

const SITE = yang11(
  'site-model',
  `container interfaces { list interface { key name;
      leaf name { type string; }
      leaf mtu { type uint16; must ". >= 1280 or not(../ipv6)" { error-message "IPv6 needs an MTU of 1280."; } }
      leaf ipv6 { type empty; }
      leaf vlan { when "../mtu < 1600"; type uint16; }
      leaf backup { type leafref { path "../../interface/name"; } } } }`,
);

const INTERFACE = { name: 'ge-0/0/0', mtu: 1000, ipv6: [null] };
const documentOf = (changes: object): object => ({
  'site-model:interfaces': { interface: [{ ...INTERFACE, ...changes }] },
});

describePages('the errors of a YANG model on the page of a task', function () {
  const site = consoleFor(this);

  const openSite = (formData: object) =>
    openTask(site, 'RenderYangForm', { yangData: [SITE], formData, title: 'rtr1.example.com' });
  const status = async (id: string): Promise<string> => (await storedTask(site, id)).status;

  it('shows the message of a must at its field, and approves after the correction', async () => {
    const { id, path } = await openSite(documentOf({}));
    const { page } = await site.look(path, { role: 'engineering', mayFault: true });
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    const mtu = page.getByRole('row', { name: /^mtu / });
    await seen(mtu, /IPv6 needs an MTU of 1280\./);
    assert.equal(await status(id), 'open');
    await seen(page, '1 error');
    await assertPartClean(page.getByRole('treegrid'));
    await writeRow(page, /^mtu /, '1500');
    await seen(mtu, '1500');
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');
    assert.equal(await status(id), 'approved');
  });

  it('shows a when, and a reference to an instance that does not exist, at their fields', async () => {
    const { id, path } = await openSite(documentOf({ mtu: 9000, vlan: 7, backup: 'ge-0/0/9' }));
    const { page } = await site.look(path, { role: 'engineering', mayFault: true, width: 390, height: 844 });
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, '2 errors');
    await seen(page.getByRole('row', { name: /^vlan / }), /\.\.\/mtu < 1600/);
    await seen(page.getByRole('row', { name: /^backup / }), /ge-0\/0\/9|does not exist|instance/);
    await assertFits(page);
    assert.equal(await status(id), 'open');
  });
});
