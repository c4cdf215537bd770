import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import {
  arrived,
  assertCleanInBothThemes,
  assertFits,
  assertPartClean,
  button,
  choose,
  press,
  seen,
} from '../support/page-text.js';
import { cheapHash } from '../support/password-hash.js';

const PASSWORD = 'correct horse battery';

/** A server on which ada signs in with a password. */
function withUser(folder: string): void {
  const path = join(folder, 'gatehouse.yaml');
  const user = `{ username: ada, passwordHash: '${cheapHash(PASSWORD)}', roles: [admin] }`;
  const local = 'auth: { local: { keyFile: data/local-issuer.pem';
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(`${local} }`));
  writeFileSync(
    path,
    text.replace(`${local} }`, () => `${local}, users: [${user}] }`),
  );
}

describePages('the sign-in page', function () {
  const site = consoleFor(this, { arrange: withUser });
  const nobody = { isStranger: true } as const;

  it('is accessible, also after a wrong password, light and dark', async () => {
    const { page } = await site.look('/ui/', nobody);
    await page.getByLabel('Name').waitFor();
    await assertCleanInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await button(page, 'Sign in').first().click();
    await seen(page, /^Request [0-9a-f-]{36}/);
    await assertPartClean(page.getByRole('main'));
  });

  it('signs in with a password to the requested page; signing out revokes the token', async () => {
    const { page } = await site.look('/ui/profiles?q=lab', nobody);
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await arrived(page, 'Profiles');
    assert.match(page.url(), /\/ui\/profiles\?q=lab$/);
    const cookies = await page.context().cookies();
    const session = cookies.find(({ name }) => name === 'token');
    assert.deepEqual([session?.httpOnly, session?.sameSite], [true, 'Strict']);

    await choose(page, 'Account of ada', 'Sign out');
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    const left = await page.context().cookies();
    assert.equal(left.find(({ name }) => name === 'token')?.value ?? '', '');
    const { status } = await fetch(`${site.testServer.url}/whoami`, {
      headers: { authorization: `Bearer ${session?.value ?? ''}` },
    });
    assert.equal(status, 401);
  });

  it('signs in with a pasted token, and refuses an invalid token', async () => {
    const { page } = await site.look('/ui/sign-in?return=/ui/audit', nobody);
    await page.getByText('Sign in with a token').click();
    await seen(page, 'npx gatehouse token --role admin');
    await page.getByRole('textbox', { name: 'Token' }).fill('not.a.token');
    const form = page.getByRole('form', { name: 'Sign in with a token' });
    await press(form, 'Sign in');
    await seen(form, /^Request [0-9a-f-]{36}/);
    await assertPartClean(form);
    await page.getByRole('textbox', { name: 'Token' }).fill(` ${site.testServer.issueToken('admin')}\n`);
    await press(form, 'Sign in');
    await arrived(page, 'Audit');
  });
});
