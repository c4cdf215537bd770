import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueAt } from '../../../src/json/pointer.js';
import { CISCO } from '../../support/netconf-dialogues/cisco.js';
import { createDialogueDouble, type Dialogue } from '../../support/netconf-dialogues/dialogue.js';
import { JUNIPER } from '../../support/netconf-dialogues/juniper.js';
import { OTHERS } from '../../support/netconf-dialogues/others.js';
import { openedByTest } from '../../support/opened.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { optionsForDouble, outcomeOf } from './double-adapter.js';

/** Operations of an adapter that starts, and of the end of a session. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['get-schema', 'close-session']);

describe('a dialogue with', () => {
  const opened = openedByTest();

  async function start(dialogue: Dialogue) {
    const double = await opened(createDialogueDouble(dialogue));
    const { folder, options = {} } = dialogue;
    const schemaFolder = folder && folderOf(folder);
    const device = await startAdapter(
      optionsForDouble(double, { ...options, ...(schemaFolder !== undefined && { schemaFolder }) }),
    );
    await opened({ close: () => device.stop() });
    return { double, device };
  }

  for (const dialogue of [...JUNIPER, ...CISCO, ...OTHERS])
    it(`${dialogue.server}, which ${dialogue.shows}`, async () => {
      const { double, device } = await start(dialogue);
      const before = double.names().length;
      for (const exchange of dialogue.exchanges) {
        const { call, body, outcome, json } = exchange;
        const replied = await replyTo(device, call, body);
        assert.match(replied.outcome, outcome, call);
        if (json !== undefined) assert.deepEqual(JSON.parse(replied.text), json, call);
      }
      const { operations, logged } = dialogue;
      const names = double
        .names()
        .slice(before)
        .filter((name) => !OF_SESSIONS.has(name));
      if (operations) assert.deepEqual(names.slice(0, operations.length), operations);
      const log = device.lines
        .map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`)
        .join('\n');
      if (logged) assert.match(log, logged);
    });

  it('enough servers of enough vendors, all of which the reference has', () => {
    const dialogues = [...JUNIPER, ...CISCO, ...OTHERS];
    const vendors = new Set(dialogues.map(({ server }) => server.split(' ')[0]));
    assert.ok(
      dialogues.length >= 12 && vendors.size >= 6,
      `${dialogues.length} dialogues, ${vendors.size} vendors`,
    );
    const page = readFileSync('docs/reference/netconf-servers.md', 'utf8');
    for (const { server, shows, source } of dialogues)
      for (const text of [server, shows, source]) assert.ok(page.includes(text), text);
  });
});

/** Returns the status with the error of a refusal, or the Problem, and the text of the reply. */
async function replyTo(device: TestAdapter, line: string, body: unknown) {
  const calling = device.call(line, body);
  const outcome = await outcomeOf(calling);
  if (!/^\d{3}$/.test(outcome)) return { outcome, text: '' };
  const text = (await calling).body.toString();
  if (Number(outcome) < 400) return { outcome, text };
  const error = valueAt(JSON.parse(text), '/ietf-restconf:errors/error/0') as Readonly<
    Record<string, string>
  >;
  return { outcome: `${outcome} ${error['error-tag'] ?? ''}: ${error['error-message'] ?? ''}`, text };
}

function folderOf(modules: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder().path;
  for (const [name, text] of Object.entries(modules))
    writeFileSync(join(folder, `${name}@2026-01-01.yang`), text);
  return folder;
}
