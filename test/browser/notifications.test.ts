import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { consoleFor, describePages } from '../support/console-errors.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import {
  assertFits,
  assertPartClean,
  button,
  dialogGone,
  dialogOf,
  press,
  seen,
} from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const NAME = 'nso1.example.com';
const PHONE = { width: 390, height: 844 };

describePages('the page of notifications', function () {
  let status = 204;
  let messages = 0;
  let webhook: Listener;
  const opened = openedBySuite();
  before(async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        messages += 1;
        response.writeHead(status).end();
      });
    });
    webhook = await opened(listenOnLoopback(server));
  });

  const site = consoleFor(this, {
    arrange: (folder) => {
      const { port } = webhook;
      const file = join(folder, 'gatehouse.yaml');
      const main = readFileSync(file, 'utf8');
      writeFileSync(file, main.replace('egress: { allow: [', `egress: { allow: ["127.0.0.1:${port}", `));
      appendFileSync(
        file,
        `notifications:
  receivers:
    - name: chat
      webhook: { url: "http://127.0.0.1:${port}/hook", secret: "$VAULT_${SECRET.path}#${SECRET.field}" }
      tags: [core]
      waitSeconds: 3600
`,
      );
      writeFileSync(
        join(folder, 'adapters', `${NAME}.yaml`),
        'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\ntags: [core]\n',
      );
    },
    fill: async ({ ask }) => {
      await eventually(async () => {
        const { problems } = (await ask('GET', '/console/overview')) as {
          problems: { adapters: string[] }[];
        };
        assert.ok(problems.some(({ adapters }) => adapters.includes(NAME)));
      });
    },
  });

  it('sends a test message, and shows whether the receiver accepted it', async () => {
    const { page } = await site.look('/ui/notifications');
    await seen(page, 'No failure');
    await assertFits(page);
    const test = button(page, 'Send a test message to chat');
    await clickMiddle(page, test);
    await seen(page, 'chat accepted the test message.');
    assert.equal(messages, 1);
    status = 410;
    await clickMiddle(page, test);
    await seen(page, 'chat did not accept the test message');
    await seen(page, /410/);
    status = 204;
    await assertPartClean(page.getByRole('main'), 'refused');
  });

  it('mutes a tag after it asked for the name and a reason, and ends the mute', async () => {
    const { page } = await site.look('/ui/notifications');
    await clickMiddle(page, button(page, 'Mute'));
    const dialog = await dialogOf(page);
    await clickMiddle(page, button(dialog, 'Mute'));
    await seen(dialog, /Enter a name\./);
    await seen(dialog, /Enter a reason\./);
    await assertPartClean(dialog, 'dialog');
    await dialog.getByLabel('Mute by').selectOption('tag');
    await dialog.getByRole('combobox', { name: /^Tag/ }).fill('core');
    await dialog.getByLabel('For', { exact: true }).selectOption('240');
    await dialog.getByLabel(/^Reason/).fill('power works, CHG0042');
    await page.keyboard.press('Enter');
    await dialogGone(page);
    const row = page.getByRole('row', { name: /power works, CHG0042/ });
    await seen(row, 'core');
    await seen(row, /ada/);
    await clickMiddle(page, button(row, 'End the mute of core'));
    await clickMiddle(page, button(await dialogOf(page), 'End'));
    await dialogGone(page);
    await seen(page, 'No mutes');
    await assertFits(page);
  });

  it('acknowledges and mutes a problem of the overview on a phone', async () => {
    const { page } = await site.look('/ui/', PHONE);
    const problem = page
      .getByRole('listitem')
      .filter({ hasText: `${NAME} is unreachable` })
      .first();
    await clickMiddle(page, button(problem, /^Acknowledge: /));
    await (await dialogOf(page)).getByLabel(/^Note/).fill('cable ordered');
    await clickMiddle(page, button(page.getByRole('dialog'), 'Acknowledge'));
    await dialogGone(page);
    await seen(problem, /Acknowledged by ada on .*: cable ordered/);
    await clickMiddle(page, button(problem, /^Mute: /));
    const dialog = await dialogOf(page);
    assert.equal(await dialog.getByLabel('Mute by').inputValue(), 'adapter');
    await dialog.getByLabel(/^Reason/).fill('replacement of line card');
    await clickMiddle(page, button(dialog, 'Mute'));
    await dialogGone(page);
    await seen(problem, /Muted by ada until .*: replacement of line card/);
    assert.equal(await button(problem, /^Mute: /).count(), 0);
    await assertPartClean(problem);
    await press(problem, /^Withdraw acknowledgement: /);
    await button(problem, /^Acknowledge: /).waitFor();
  });

  it('shows the same to readers, without the buttons', async () => {
    const { page, follow } = await site.look('/ui/notifications', { role: 'viewer', ...PHONE });
    await seen(page, 'replacement of line card');
    assert.equal(await button(page, /^(Mute|End|Send a test message)/).count(), 0);
    await assertFits(page);
    await follow('/ui/');
    await seen(page, /Muted by ada until .*: replacement of line card/);
    assert.equal(await button(page, /^(Mute|Acknowledge|Withdraw)/).count(), 0);
    await assertFits(page);
  });
});
