import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  accessibilityFaults,
  lackOfBrowser,
  openBrowser,
  type Look,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { callUrl } from '../support/call.js';
import { fillGallery, type Gallery } from '../support/gallery.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, type World } from '../support/world.js';

const INTERFACES = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

interface ToldTask {
  readonly status: string;
  readonly outcome: { readonly export: unknown; readonly reason: string; readonly by: string } | null;
  readonly draft: { readonly formData: unknown } | null;
}

describe('the pages of tasks', function () {
  this.timeout(60_000);
  let world: World;
  let browser: TestBrowser;
  let gallery: Gallery;
  const opened: WatchedPage[] = [];

  before(async function () {
    const lack = lackOfBrowser();
    if (lack !== undefined) {
      process.stderr.write(`  skipped: ${lack}\n`);
      this.skip();
    }
    world = await openWorld({ folder: temporaryFolder().path });
    gallery = await fillGallery(world);
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  after(async () => {
    await (browser as TestBrowser | undefined)?.close();
    await (world as World | undefined)?.close();
  });

  const look = async (path: string, more: Look = {}): Promise<WatchedPage> => {
    const looked = await browser.look(world.url, { token: world.mint('engineering'), ...more });
    opened.push(looked);
    await looked.page.goto(world.url + path);
    return looked;
  };
  const pathOf = (view: string, id: string): string => `/json-forms/task/${view}?task=${id}`;
  const openTask = async (more: object = {}): Promise<string> => {
    const body = {
      form_id: 'Provision VLAN',
      instance_data: { site: 'ber1', vlan: 7 },
      title: 'A VLAN',
      ...more,
    };
    const { json } = await callUrl(`${world.url}/json-forms/task/ShowJsonForm`, {
      token: world.mint('admin'),
      body,
    });
    return (json as { readonly id: string }).id;
  };
  const told = async (id: string): Promise<ToldTask> =>
    (await callUrl(`${world.url}/json-forms/tasks/${id}`, { method: 'GET', token: world.mint('admin') }))
      .json as ToldTask;

  for (const theme of ['light', 'dark'] as const)
    for (const [what, path] of [
      ['a form', () => pathOf('ShowJsonForm', gallery.formTask)],
      ['a form made from YANG', () => pathOf('RenderYangForm', gallery.yangTask)],
      ['a decided task', () => pathOf('ShowJsonForm', gallery.finishedTask)],
      ['a task that is not there', () => pathOf('ShowJsonForm', '0'.repeat(24))],
    ] as const)
      it(`${what}, ${theme}: nothing that axe, the policy or the console complain of`, async () => {
        const { page, faults } = await look(path(), { theme });
        await page.locator('h1, [role=alert]').first().waitFor();
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.deepEqual(faults, []);
      });

  it('lets a person fill in, save, return, and approve', async () => {
    const id = await openTask();
    const first = await look(pathOf('ShowJsonForm', id));
    const vlan = first.page.getByRole('row', { name: /VLAN id/ });
    await vlan.waitFor();
    await vlan.click();
    await first.page.keyboard.press('Enter');
    await first.page.keyboard.press('Control+A');
    await first.page.keyboard.type('120');
    await first.page.keyboard.press('Enter');
    await first.page.getByText('1 change').first().waitFor();
    await first.page.getByRole('button', { name: 'Save draft' }).click();
    await first.page.getByText('draft of ada').waitFor();
    assert.deepEqual((await told(id)).draft?.formData, { site: 'ber1', vlan: 120 });

    const second = await look(pathOf('ShowJsonForm', id));
    await second.page.getByRole('button', { name: 'Approve' }).click();
    await second.page.getByText('✓ Approved').waitFor();
    const { status, outcome } = await told(id);
    assert.deepEqual(
      [status, outcome?.export, outcome?.by],
      ['approved', { site: 'ber1', vlan: 120 }, 'ada'],
    );
    assert.deepEqual([...first.faults, ...second.faults], []);
  });

  it('asks for the reason of a rejection', async () => {
    const id = await openTask();
    const { page, faults } = await look(pathOf('ShowJsonForm', id));
    await page.getByRole('button', { name: 'Reject…' }).click();
    const dialog = page.getByRole('dialog');
    assert.ok(await dialog.getByRole('button', { name: 'Reject' }).isDisabled());
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('textbox').fill('No ticket');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('✕ Rejected').waitFor();
    await page.getByText('No ticket').waitFor();
    assert.equal((await told(id)).outcome?.reason, 'No ticket');
    assert.deepEqual(faults, []);
  });

  it('approves nothing that the form forbids, and says where it is wrong', async () => {
    const id = await openTask({ instance_data: { site: 'ber1', vlan: 9999 } });
    const { page } = await look(pathOf('ShowJsonForm', id));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    assert.equal((await told(id)).status, 'open');
  });

  it('opens a task by the variables of its address, once however often the page is loaded', async () => {
    const data = encodeURIComponent(JSON.stringify({ site: 'ham2', vlan: 44 }));
    const { page } = await look(
      `/json-forms/task/ShowJsonForm?form_id=Provision%20VLAN&instance_data=${data}`,
    );
    await page.waitForURL(/[?&]task=[0-9a-f]{24}$/);
    const address = page.url();
    await page.reload();
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    assert.equal(page.url(), address);
  });

  it('keeps what two people did to one task', async () => {
    const id = await openTask();
    const { page } = await look(pathOf('ShowJsonForm', id));
    await page.getByRole('row', { name: /Site/ }).waitFor();
    await callUrl(`${world.url}/json-forms/tasks/${id}/draft`, {
      ...{ method: 'PUT', token: world.mint('admin') },
      body: { formData: { site: 'ber1', vlan: 7, ticket: 'CHG1' } },
    });
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Put my changes on top of theirs' }).click();
    await page.getByText('CHG1').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('✓ Approved').waitFor();
    assert.deepEqual((await told(id)).outcome?.export, { site: 'ber1', vlan: 7, ticket: 'CHG1' });
  });

  it('offers what a query through an adapter answers, and says why where it may not ask', async () => {
    const bound = (href: string) => ({
      'binding:method': 'POST',
      'binding:link': 'collection',
      'binding:source': { propertyPointer: '/ietf-interfaces:interfaces/interface', keyPointer: '/name' },
      'binding:hyperSchema': {
        base: '/orchestrator_manager/',
        links: [{ rel: 'collection', href, variables: INTERFACES }],
      },
    });
    const { json } = await callUrl(`${world.url}/json-forms/task/RenderJsonSchema`, {
      token: world.mint('admin'),
      body: {
        jsonSchema: { type: 'object', properties: { port: { type: 'string' }, other: { type: 'string' } } },
        bindingSchema: { properties: { port: bound('restQuery/core1'), other: bound('restAction/core1') } },
        formData: {},
      },
    });
    const { id } = json as { readonly id: string };
    const { page, faults } = await look('/json-forms/task/ShowJsonForm?task=none', {
      token: world.mint('admin'),
    });
    const answered = page.waitForResponse(/restQuery/);
    await page.goto(world.url + pathOf('RenderJsonSchema', id));
    await answered;
    await page.getByRole('row', { name: /port/ }).click();
    await page.keyboard.press('F2');
    await page.getByRole('option').first().waitFor();
    assert.ok((await page.getByRole('option').allTextContents()).some((text) => text.includes('eth0')));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /other/ }).click();
    await page
      .getByText(/options come from queries through adapters alone/)
      .first()
      .waitFor();
    assert.deepEqual(faults, []);
  });

  const rendered = async (body: object): Promise<string> => {
    const token = world.mint('admin');
    const { json, text } = await callUrl(`${world.url}/json-forms/task/RenderJsonSchema`, { token, body });
    const { id } = json as { readonly id?: string };
    assert.ok(id, text);
    return pathOf('RenderJsonSchema', id);
  };
  const write = async (page: Page, name: RegExp, text: string): Promise<void> => {
    await page.getByRole('row', { name }).click();
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  it('asks once for the options of a field', async () => {
    const links = [{ rel: 'options', href: '/orchestrator_manager/restQuery/core1', variables: {} }];
    const a = { 'binding:hyperSchema': { links }, 'binding:method': 'POST' };
    const path = await rendered({
      jsonSchema: { properties: { a: { type: 'string' }, b: { type: 'string' } } },
      bindingSchema: { properties: { a, b: a } },
    });
    const { page } = await look('/json-forms/task/ShowJsonForm?task=none');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/restQuery/')) asked += 1;
    });
    await page.goto(world.url + path);
    await write(page, /^b /, 'x');
    await page.getByText('1 change').first().waitFor();
    assert.equal(asked, 1);
  });

  it('leaves no secret in the browser', async () => {
    const password = { type: 'string', writeOnly: true };
    const path = await rendered({ jsonSchema: { properties: { user: { type: 'string' }, password } } });
    const { page } = await look(path);
    const kept = (): Promise<string> => page.evaluate('JSON.stringify(localStorage)');
    await write(page, /^user /, 'ada');
    await page.getByText('1 change').first().waitFor();
    assert.match(await kept(), /ada/);
    await write(page, /^password /, 'pw-77aa-of-ada');
    await page.getByText(/is not kept in this browser/).waitFor();
    assert.doesNotMatch(await kept(), /ada/);
  });

  it('lets everything of a decided task be looked at', async () => {
    const { page } = await look(pathOf('ShowJsonForm', gallery.finishedTask));
    await page.getByRole('searchbox').fill('gateway');
    await page.getByRole('row', { name: /^VLAN id/ }).waitFor({ state: 'detached' });
    await page.getByText('192.0.2.1').first().waitFor();
  });

  it('says so when it approves nothing, and leads to what is wrong', async () => {
    const jsonSchema = {
      properties: { deep: { type: 'object', properties: { vlan: { type: 'integer', maximum: 9 } } } },
    };
    const path = await rendered({ jsonSchema, formData: { deep: { vlan: 12 } } });
    const { page } = await look(path);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alert').getByText('1 error').waitFor();
    await page.locator('[role=row]:focus', { hasText: 'vlan' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('stays where the person is when a draft is saved', async () => {
    const { page } = await look(pathOf('ShowJsonForm', await openTask()));
    await write(page, /VLAN id/, '120');
    await page.getByRole('searchbox').fill('vlan');
    await page.getByRole('button', { name: 'Save draft' }).press('Enter');
    await page.getByText('draft of ada').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).and(page.locator(':focus')).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'vlan');
  });

  const drafts = (page: Page): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>('Object.keys(localStorage)');

  it('brings back what was never saved, says so, and keeps nothing of what was only looked at', async () => {
    const { page } = await look(pathOf('ShowJsonForm', await openTask()));
    await page.getByRole('row', { name: /VLAN id/ }).waitFor();
    assert.deepEqual(await drafts(page), []);
    await write(page, /VLAN id/, '120');
    await page.getByText('1 change').first().waitFor();
    await page.reload();
    await page.getByText('never saved is back: 1 change').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Nothing changed').waitFor();
    assert.deepEqual(await drafts(page), []);
  });

  it('drops what somebody else left in this browser', async () => {
    const path = pathOf('ShowJsonForm', await openTask());
    const { page } = await look(path);
    await write(page, /VLAN id/, '120');
    await page.getByText('1 change').first().waitFor();
    assert.equal((await drafts(page)).length, 1);
    const value = world.mintFor('grace', 'engineering');
    await page.context().addCookies([{ name: 'token', value, url: world.url, httpOnly: true }]);
    await page.reload();
    await page.getByText('Nothing changed').waitFor();
    assert.deepEqual(await drafts(page), []);
  });

  it('works where the browser keeps nothing for pages', async () => {
    const { page, faults } = await look('/json-forms/task/ShowJsonForm?task=none');
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('closed', 'SecurityError'); },
    });`);
    const id = await openTask();
    await page.goto(world.url + pathOf('ShowJsonForm', id));
    await write(page, /VLAN id/, '120');
    await page.getByText('is not kept in this browser').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('✓ Approved').waitFor();
    assert.deepEqual(faults, []);
  });

  it('shows what was decided when somebody else was faster', async () => {
    const id = await openTask();
    const { page } = await look(pathOf('ShowJsonForm', id));
    await page.getByRole('row', { name: /Site/ }).waitFor();
    await callUrl(`${world.url}/json-forms/tasks/${id}/outcome`, {
      token: world.mint('admin'),
      body: { outcome: 'rejected', reason: 'No ticket' },
    });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('✕ Rejected').waitFor();
  });

  it('blames the address for what is wrong with the address', async () => {
    const { page } = await look('/json-forms/task/ShowJsonForm?form_id=x&instance_data=%7B');
    const alert = page.getByRole('alert');
    await alert.getByText('The variable instance_data in the address of this page is no JSON.').waitFor();
    assert.doesNotMatch(await alert.innerText(), /did not answer|connection/);
  });

  it('tells times with their zone, and exactly on hover', async () => {
    const { page } = await look(pathOf('ShowJsonForm', gallery.finishedTask));
    const time = page.locator('header time');
    assert.match(await time.innerText(), /[A-Z]{3}|GMT[+-]/);
    assert.match((await time.getAttribute('title')) ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('sends people who have not signed in to sign in, and back', async () => {
    const looked = await browser.look(world.url);
    opened.push(looked);
    const reply = await looked.page.goto(world.url + pathOf('ShowJsonForm', gallery.formTask));
    assert.equal(reply?.status(), 401);
    await looked.page.getByRole('link', { name: 'Sign in' }).click();
    await looked.page.waitForURL(/\/ui\/sign-in\?return=%2Fjson-forms%2Ftask%2FShowJsonForm/);
    assert.deepEqual(looked.faults, []);
  });
});
