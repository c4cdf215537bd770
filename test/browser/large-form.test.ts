import assert from 'node:assert/strict';
import { consoleFor, describePages, type LookInside } from '../support/console-errors.js';
import { largeModule } from '../support/large-module.js';
import { lookWithSizes, reachRow, rowNamed, toggleRow } from '../support/large-tree.js';
import { assertFits, assertPartClean, button, dialogOf, press, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { openTask, storedTask, writeRow } from '../support/task-page.js';
import { yang11 } from '../support/yang.js';

const MODULE = largeModule({ areas: 20, parts: 10, leaves: 8 });
const ENTRY = { name: 'uplink', 'mtu-9-4': 1500, endpoint: { address: '192.0.2.1' } };
const DATA = {
  'device-model:device': {
    hostname: 'rtr1.example.com',
    'area-9': { 'part-9-4': { 'value-9-4-1': 7, 'entry-9-4': [ENTRY] } },
  },
};

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

describePages('a task with the form of a whole device', function () {
  const site = consoleFor(this);

  const openDevice = (formData: object = DATA) =>
    openTask(site, 'RenderYangForm', { yangData: [MODULE], formData, title: 'rtr1.example.com' });
  const stored = (id: string) => storedTask(site, id);

  const look = (path: string, more: LookInside = {}) =>
    lookWithSizes(
      (before) => site.look(path, { role: 'engineering', ...more, before }),
      /\/json-forms\/tasks\/[^/]+(?:\/subtrees)?\?/,
    );

  it('shows the rows with data first, and loads a container when the mouse opens it', async () => {
    const { id, path } = await openDevice();
    const { page, sizes } = await look(path);
    await seen(page, /^This form is large\./);
    await reachRow(page, /^value-9-4-1 .*7/);
    await reachRow(page, /^mtu-9-4 .*1500/);
    const whole = JSON.stringify((await stored(id)).schema).length;
    assert.ok(whole > 500_000, String(whole));
    assert.equal(sizes.length, 1);
    assert.ok((sizes[0] ?? 0) < whole / 3, `${sizes[0]} of ${whole}`);
    await toggleRow(page, /^area-20 /);
    await toggleRow(page, /^part-20-7 /);
    await reachRow(page, /^value-20-7-3 /);
    assert.ok(
      sizes.every((size) => size < whole / 3),
      sizes.join(),
    );
    await writeRow(page, /^value-20-7-3 /, '99999');
    await seen(rowNamed(page, /^value-20-7-3 /), /must be at most 4003|4003/);
    await writeRow(page, /^value-20-7-3 /, '12');
    await assertPartClean(page.getByRole('treegrid'));
    await clickMiddle(page, button(page, 'Save draft'));
    await seen(page, 'Draft saved.');
    const changed = { ...DATA['device-model:device'], 'area-20': { 'part-20-7': { 'value-20-7-3': 12 } } };
    assert.deepEqual((await stored(id)).draft?.formData, { 'device-model:device': changed });
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');
    await toggleRow(page, /^area-3 /);
    await reachRow(page, /^part-3-1 /);
    await reachRow(page, /^value-20-7-3 .*12/);
    assert.deepEqual((await stored(id)).outcome?.export, { 'device-model:device': changed });
  });

  it('finds a field that is not loaded by its name', async () => {
    const { path } = await openDevice({});
    const { page } = await look(path);
    await page.getByRole('searchbox').fill('mtu-18-5');
    await reachRow(page, /^mtu-18-5 /);
    await seen(page, '1 row found');
    await page.getByRole('searchbox').fill('value');
    await seen(page, /The form has more matches: add a word to the search\.$/);
  });

  it('adds the first entry of a list that is not loaded', async () => {
    const { id, path } = await openDevice({});
    const { page } = await look(path);
    await toggleRow(page, /^device /);
    await toggleRow(page, /^area-19 /);
    await toggleRow(page, /^part-19-9 /);
    await (await reachRow(page, /^entry-19-9 /)).click();
    await clickMiddle(page, page.getByRole('button', { name: /entry-19-9: entry-19-9$/ }));
    await writeRow(page, /^name /, 'uplink');
    await writeRow(page, /^mtu-19-9 /, '9000');
    await clickMiddle(page, button(page, 'Save draft'));
    await seen(page, 'Draft saved.');
    const entry = [{ name: 'uplink', 'mtu-19-9': 9000 }];
    assert.deepEqual((await stored(id)).draft?.formData, {
      'device-model:device': { 'area-19': { 'part-19-9': { 'entry-19-9': entry } } },
    });
  });

  it('says that a part could not be loaded, and loads it when it is opened again', async () => {
    const { path } = await openDevice();
    const { page } = await look(path, { mayFault: true });
    await page.route('**/subtrees?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'not_ready', detail: 'The server starts.' } }),
    );
    await toggleRow(page, /^area-20 /);
    await toggleRow(page, /^part-20-7 /);
    await seen(page, /A part of the form could not be loaded: The server starts\./);
    await page.unroute('**/subtrees?*');
    await toggleRow(page, /^part-20-7 /);
    await reachRow(page, /^value-20-7-3 /);
  });

  it('shows what the server refuses at a field that was not loaded', async () => {
    const { id, path } = await openDevice({});
    const { page } = await look(path, { mayFault: true });
    await page.route('**/outcome*', (route) =>
      route.fulfill({
        status: 400,
        json: {
          code: 'form_data_invalid',
          detail: 'The data is not valid.',
          errors: [
            {
              pointer: '/formData/device-model:device/area-17/part-17-2/value-17-2-1',
              message: 'is refused',
            },
          ],
        },
      }),
    );
    await rowNamed(page, /^device /).waitFor();
    await clickMiddle(page, button(page, 'Approve…'));
    await press(await dialogOf(page), 'Approve');
    await seen(rowNamed(page, /^value-17-2-1 /), 'is refused');
    assert.equal((await stored(id)).outcome, null);
  });

  const openSite = (formData: object) =>
    openTask(site, 'RenderYangForm', { yangData: [SITE], formData, title: 'rtr1.example.com' });
  const status = async (id: string): Promise<string> => (await stored(id)).status;

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
