import assert from 'node:assert/strict';
import { mailSubject, mailText, webhookBody } from '../../../src/features/notifications/message.js';
import type { NotifiedProblem } from '../../../src/features/notifications/plan.js';
import { omit } from '../../../src/lib/omit.js';

const PROBLEM: NotifiedProblem = {
  ...{ event: 'begun', id: 'p1', severity: 'danger', code: 'adapter-unreachable', since: 0, tags: [] },
  ...{ title: 'nso1 is unreachable', cause: 'connection refused' },
  ...{ adapters: ['nso1'], servers: ['gw1', 'gw2'] },
};
const messageOf = (changes: Partial<NotifiedProblem> = {}) => ({
  ...{ problems: [{ ...PROBLEM, ...changes }], host: 'gw1', url: null, at: 0, isTest: false },
});

describe('a message', () => {
  it('names the servers that see a problem', () => {
    assert.match(mailText(messageOf()), /^Seen by: gw1, gw2$/m);
    const { problems } = JSON.parse(webhookBody(messageOf())) as { problems: { servers: string[] }[] };
    assert.deepEqual(problems[0]?.servers, ['gw1', 'gw2']);
  });

  it('reads states of earlier versions, which name no server', () => {
    const earlier = omit(PROBLEM, 'servers');
    const message = { ...messageOf(), problems: [earlier] };
    assert.doesNotMatch(mailText(message), /Seen by/);
    assert.deepEqual((JSON.parse(webhookBody(message)) as { problems: object[] }).problems, [
      { ...earlier, servers: [], since: new Date(0).toISOString() },
    ]);
  });

  it('has no control characters in a mail, and escapes them in the JSON of a webhook', () => {
    const message = messageOf({ title: 'down\u001b[2J\u202e\r\nBcc: eve@example.com' });
    for (const text of [mailSubject(message), mailText(message), webhookBody(message)])
      assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
    assert.doesNotMatch(mailText(message), /^Bcc/m);
  });
});
