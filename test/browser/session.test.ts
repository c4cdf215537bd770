import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { BROWSER_TEST_MS, openBrowser, type TestBrowser } from '../support/browser.js';
import { callUrl } from '../support/call.js';
import { describePages } from '../support/console-errors.js';
import { openedBySuite } from '../support/opened.js';
import { arrived, assertAccessible, choose, dialogOf, press, seen, words } from '../support/page-text.js';
import { type SignInServer, startSignInServer } from '../support/sign-in-server.js';
import { eventually } from '../support/until.js';

/** A form with one field. */
const SITE_FORM = {
  name: 'A site',
  description: '',
  struct: {},
  uiSchema: {},
  bindingSchema: {},
  validationSchema: {},
  schema: { type: 'object', properties: { site: { type: 'string', title: 'Site' } } },
};

describePages('the session of a person in the pages', function () {
  this.timeout(BROWSER_TEST_MS);
  let server: SignInServer;
  let browser: TestBrowser;
  let page: Page;
  let closePage: () => Promise<void>;

  const opened = openedBySuite();
  before(async () => {
    [server, browser] = await Promise.all([
      opened(startSignInServer({ hasBuiltPages: true })),
      opened(openBrowser()),
    ]);
    // One provider and no users: the sign-in needs no choice.
    await server.configure();
  });

  beforeEach(async () => {
    server.provider.mood = {};
    const watched = await browser.look(server.url);
    ({ page, close: closePage } = watched);
  });

  afterEach(() => closePage());

  const context = (): BrowserContext => page.context();

  /** Opens a page of the console, and signs in at the provider with the mouse. */
  async function signIn(path: string, title: string, at = page): Promise<void> {
    await at.goto(server.url + path);
    await at.getByRole('link', { name: 'Sign in with Example', exact: true }).click();
    await at.getByRole('link', { name: 'I agree' }).click();
    await arrived(at, title);
  }

  it('goes on at the public origin when a sign-in begins at another one (bug: the callback found no cookie)', async () => {
    const { port } = new URL(server.url);
    const other = await browser.look(`http://localhost:${port}`);
    try {
      await other.page.goto(`http://localhost:${port}/ui/profiles?q=lab`);
      const link = { name: 'Sign in with Example', exact: true } as const;
      await other.page.getByRole('link', link).click();
      await other.page.waitForURL(`${server.url}/ui/sign-in?return=%2Fui%2Fprofiles%3Fq%3Dlab`);
      await other.page.getByRole('link', link).click();
      await other.page.getByRole('link', { name: 'I agree' }).click();
      await arrived(other.page, 'Profiles');
      assert.equal(other.page.url(), `${server.url}/ui/profiles?q=lab`);
    } finally {
      await other.close();
    }
  });

  /** Signs in with a token of a few seconds, and waits until the browser has dropped its cookie. */
  async function signInBriefly(path: string, title: string): Promise<void> {
    server.provider.mood = { lifeSeconds: 4 };
    await signIn(path, title);
  }

  /** Ends the session as the provider does, so that nothing can be renewed. */
  async function endAtProvider(): Promise<void> {
    const { provider } = server;
    const token = await provider.logoutToken({ sid: provider.latestSid() });
    const { status } = await fetch(`${server.url}/console/oidc/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    assert.equal(status, 200);
  }

  /** Signs in again by the link of the page, in its new window. */
  async function signInAgain(
    link = page.getByRole('link', { name: 'Sign in again' }).first(),
  ): Promise<void> {
    const opening = context().waitForEvent('page');
    await link.click();
    const window = await opening;
    await window.getByRole('link', { name: 'Sign in with Example', exact: true }).click();
    const closing = window.waitForEvent('close').catch(() => undefined);
    await window.getByRole('link', { name: 'I agree' }).click();
    await Promise.race([
      closing,
      words(window, 'You are signed in')
        .waitFor()
        .catch(() => undefined),
    ]);
    if (!window.isClosed()) await window.close();
  }

  it('finding 1: is renewed silently when the token has expired', async () => {
    await signInBriefly('/ui/adapters', 'Adapters');
    server.provider.mood = {};
    const used = server.provider.refreshed.length;
    // The page itself renews the token as soon as its stream of events ends.
    await eventually(() => {
      assert.ok(server.provider.refreshed.length > used);
      return Promise.resolve();
    });
    await page.getByRole('link', { name: 'Profiles', exact: true }).click();
    await arrived(page, 'Profiles');
    await seen(page, 'New profile');
    // On a busy machine the first renewal may have begun while the provider still gave brief tokens.
    await eventually(async () => {
      const token = (await context().cookies()).find(({ name }) => name === 'token');
      assert.equal(token?.httpOnly, true);
    });
    assert.equal(await page.getByText('Your session has ended').count(), 0);
    const kept = await page.evaluate<string>('document.cookie + JSON.stringify(localStorage)');
    assert.doesNotMatch(kept, /refresh-/);
  });

  it('finding 1: signs in again in place when nothing can be renewed, and keeps an open dialog', async () => {
    await signIn('/ui/profiles', 'Profiles');
    await press(page.getByRole('region', { name: 'Page header' }), 'Import');
    const dialog = page.getByRole('dialog');
    const json = dialog.getByLabel('The profile as JSON');
    const profile = '{"id":"night","description":"for the night shift"}';
    await json.fill(profile);
    await endAtProvider();
    await press(dialog, 'Import');
    await seen(dialog, /The server did not carry out the request/);
    assert.equal(await dialog.getByText('Bearer').count(), 0);
    await signInAgain(dialog.getByRole('link', { name: 'Sign in again' }));
    await seen(dialog, /Repeat it/);
    assert.equal(await json.inputValue(), profile);
    await press(dialog, 'Import');
    await dialog.waitFor({ state: 'detached' });
    await seen(page, /Profile night was imported/);
  });

  it('ends when the provider signs the person out: the page notices it, stays accessible, and continues after the sign-in', async () => {
    await signIn('/ui/profiles', 'Profiles');
    await endAtProvider();
    // The stream of events ends with the token, so that the page notices it without a request.
    await seen(page, 'Your session has ended');
    await assertAccessible(page.locator('html'));
    await signInAgain();
    await page.getByText('Your session has ended').first().waitFor({ state: 'detached' });
    await seen(page, 'New profile');
    assert.match(page.url(), /\/ui\/profiles$/);
  });

  it('finding 1: keeps what was typed into a task, and approves it after the sign-in', async () => {
    const token = await server.provider.sign({ aud: 'gatehouse' });
    const send = async (path: string, body: object): Promise<unknown> => {
      const { status, json } = await callUrl(server.url + path, { method: 'POST', token, body });
      assert.equal(status, 200, JSON.stringify(json));
      return json;
    };
    await send('/json-forms/forms', SITE_FORM);
    const { id } = (await send('/json-forms/task/ShowJsonForm', { form_id: 'A site', title: 'A site' })) as {
      readonly id: string;
    };
    await signIn('/ui/adapters', 'Adapters');
    await page.goto(`${server.url}/json-forms/task/ShowJsonForm?task=${id}`);
    await page.getByRole('row', { name: /Site/ }).click();
    await page.keyboard.press('F2');
    await page.keyboard.type('ber1');
    await page.keyboard.press('Enter');
    await seen(page, '1 change');
    await endAtProvider();
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await seen(page, /Your session has ended/);
    await signInAgain();
    await seen(page, /You are signed in again/);
    await seen(page, '1 change');
    await press(page, 'Approve…');
    await press(await dialogOf(page), 'Approve');
    await seen(page, '✓ Approved');
    const task = await callUrl(`${server.url}/json-forms/tasks/${id}`, { method: 'GET', token });
    assert.deepEqual((task.json as { outcome: { export: unknown } }).outcome.export, { site: 'ber1' });
  });

  it('opens another page after the expiry of the token without a question', async () => {
    await signIn('/ui/adapters', 'Adapters');
    await page.goto('about:blank');
    await context().clearCookies({ name: 'token' });
    await page.goto(`${server.url}/docs`);
    await page.waitForURL(`${server.url}/docs`);
    await eventually(async () => {
      assert.match(await page.title(), /^gatehouse \d.*: the API$/);
    });
  });

  it('finding 9: begins in two tabs at once, and both reach their page', async () => {
    const other = await context().newPage();
    for (const [at, path] of [
      [page, '/ui/adapters'],
      [other, '/ui/profiles'],
    ] as const) {
      await at.goto(server.url + path);
      await at.getByRole('link', { name: 'Sign in with Example', exact: true }).click();
      await at.getByRole('link', { name: 'I agree' }).waitFor();
    }
    await page.getByRole('link', { name: 'I agree' }).click();
    await arrived(page, 'Adapters');
    await other.getByRole('link', { name: 'I agree' }).click();
    await arrived(other, 'Profiles');
  });

  it('ends here, at the provider and in the other tabs when the person signs out', async () => {
    await signIn('/ui/adapters', 'Adapters');
    const other = await context().newPage();
    await other.goto(`${server.url}/ui/profiles`);
    await arrived(other, 'Profiles');
    const ended = page.waitForRequest((request) =>
      request.url().startsWith(`${server.provider.url}/end-session`),
    );
    await choose(page, 'Account of f3b1-ada', 'Sign out');
    await ended;
    await page.getByRole('link', { name: 'Use another account of Example' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/ui/sign-in');
    await seen(other, 'Your session has ended');
    await page.getByRole('link', { name: 'Use another account of Example' }).click();
    await page.getByRole('link', { name: 'I agree' }).waitFor();
    assert.equal(server.provider.authorizations.at(-1)?.get('prompt'), 'login');
  });
});
