import assert from 'node:assert/strict';
import { errorReply, type NetconfDouble, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import type { TestAdapter } from './adapter.js';
import { CAPABILITIES, dataWith, DEVICE, doublesOfSuite, outcomeOf, warning } from './double-adapter.js';

const CAPABILITY = 'urn:ietf:params:netconf:capability:';
const RESTART = '/restconf/operations/test-device:restart';

const NESTED_ERROR = `<commit-results>${warning('requires a license')}<routing-engine><rpc-error><error-severity>error</error-severity><error-message>No vlan matches vlan tag 200</error-message></rpc-error></routing-engine></commit-results>`;

describe('the plugin netconf reports success only for what the server confirms', () => {
  /** Answer that replaces the usual one. */
  interface Replacement {
    readonly name: string;
    readonly content: string;
    /** Number of the operation of this name; all without it. */
    readonly at?: number;
  }

  let double: NetconfDouble;
  let device: TestAdapter;
  let replacement: Replacement | undefined;
  let seen: string[] = [];
  const { start, openAdapter } = doublesOfSuite();
  before(async () => {
    const capabilities = ['writable-running:1.0', 'confirmed-commit:1.1', 'startup:1.0', 'notification:1.0'];
    const options: NetconfDoubleOptions = {
      capabilities: [...CAPABILITIES, ...capabilities.map((name) => `${CAPABILITY}${name}`)],
      onOperation({ name }) {
        if (name === 'close-session') return '<ok/>';
        seen.push(name);
        const at = seen.filter((one) => one === name).length;
        if (replacement?.name === name && (replacement.at ?? at) === at) return replacement.content;
        return name.startsWith('get') ? '<data/>' : '<ok/>';
      },
    };
    ({ double, device } = await start(options));
  });
  beforeEach(() => {
    replacement = undefined;
    seen = [];
  });

  /** Replaces the answer to one operation. */
  function answer(name: string, content: string, at?: number): void {
    replacement = { name, content, ...(at !== undefined && { at }) };
  }

  const CHANGE = [`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 }] as const;
  /** Returns the status of a change and its first error, or the code and the detail of its Problem. */
  const change = async (at = device): Promise<string> => {
    const changing = at.outcome(...CHANGE);
    return changing.catch(() => outcomeOf(changing));
  };

  const WITHOUT_CONFIRMATION: Readonly<Record<string, readonly [content: string, difference: string]>> = {
    'without content': ['', 'its reply is empty'],
    'with unknown content': ['<error>failed</error>', 'its reply has no <ok/> but <error>'],
    'with data in place of ok': ['<data/>', 'its reply has no <ok/> but <data>'],
    'with a warning and unknown content': [`${warning('w')}<x/>`, 'its reply has no <ok/> but <x>'],
  };
  const STEPS: Readonly<Record<string, readonly [known: string, undone: readonly string[]]>> = {
    lock: ['nothing was changed.', []],
    'edit-config': ['the change was not committed.', ['discard-changes', 'unlock']],
    validate: ['the change was not committed.', ['discard-changes', 'unlock']],
    commit: ['whether the change is made is unknown. Read the data', ['discard-changes', 'unlock']],
  };
  for (const [operation, [known, undone]] of Object.entries(STEPS))
    for (const [reply, [content, difference]] of Object.entries(WITHOUT_CONFIRMATION))
      it(`does not report success for a reply ${reply} to ${operation}, and takes the change back`, async () => {
        answer(operation, content);
        const outcome = await change();
        const expected = `upstream_bad_reply: the server did not confirm the ${operation}, because ${difference}: ${known}`;
        assert.ok(outcome.startsWith(expected), outcome);
        assert.deepEqual(seen.slice(seen.lastIndexOf(operation) + 1), undone);
        // The end of the session takes back what the server keeps for it.
        await until(() => double.sessions() === 0);
      });

  for (const operation of ['edit-config', 'validate', 'commit'])
    it(`reports an error that is nested in the reply to ${operation}, and takes the change back`, async () => {
      answer(operation, NESTED_ERROR);
      assert.equal(await change(), '500 operation-failed: No vlan matches vlan tag 200');
      assert.deepEqual(seen.slice(-2), ['discard-changes', 'unlock']);
    });

  it('reports an error of the reply itself, and a nested error beside ok', async () => {
    answer('commit', errorReply('operation-failed', 'no'));
    assert.equal(await change(), '500 operation-failed: no');
    assert.deepEqual(seen.slice(-3), ['commit', 'discard-changes', 'unlock']);
    answer('commit', `${NESTED_ERROR}<ok/>`);
    assert.equal(await change(), '500 operation-failed: No vlan matches vlan tag 200');
  });

  it('does not report success if one of the two commits of a confirmed commit is not confirmed', async () => {
    const confirming = await openAdapter(double, { confirmSeconds: 30 });
    const expected = /^upstream_bad_reply: the server did not confirm the commit, .* unknown/;
    for (const at of [1, 2]) {
      seen = [];
      answer('commit', '', at);
      assert.match(await change(confirming), expected);
      assert.equal(seen.filter((name) => name === 'commit').length, at);
      assert.deepEqual(seen.slice(-2), ['discard-changes', 'unlock']);
    }
  });

  it('says that the change is in running if the copy to startup is not confirmed', async () => {
    answer('copy-config', '');
    assert.match(
      await change(),
      /^upstream_bad_reply: the server did not confirm the copy-config, because its reply is empty: the change is made in running/,
    );
  });

  it('says that the result is unknown if an edit of running is not confirmed', async () => {
    answer('edit-config', '');
    assert.match(
      await change(await openAdapter(double, { datastore: 'running' })),
      /^upstream_bad_reply: the server did not confirm the edit-config, .*: whether the change is made is unknown/,
    );
  });

  for (const [name, content] of [
    ['empty', ''],
    ['unknown', '<x/>'],
    ['an error', NESTED_ERROR],
  ] as const)
    it(`reports a change as done although the reply to its unlock is ${name}, and closes the session`, async () => {
      answer('unlock', content);
      assert.equal(await change(), '201');
      await until(() => double.sessions() === 0);
    });

  it('does not report success of an operation without an answer to it', async () => {
    const unconfirmed = 'upstream_bad_reply: the server did not confirm the restart, because its reply';
    for (const [content, expected] of [
      ['', new RegExp(`^${unconfirmed} is empty`)],
      ['<x/>', new RegExp(`^${unconfirmed} has no <ok/> but <x>`)],
      [NESTED_ERROR, /^500 operation-failed: No vlan matches vlan tag 200/],
      ['<ok/>', /^204$/],
      [warning('w'), /^204$/],
    ] as const) {
      answer('restart', content);
      const calling = device.outcome(`POST ${RESTART}`);
      assert.match(await calling.catch(() => outcomeOf(calling)), expected);
    }
  });

  it('does not open a stream of events whose subscription is not confirmed', async () => {
    answer('create-subscription', '');
    const { signal } = new AbortController();
    const request = { method: 'GET', path: '/streams/NETCONF', headers: {} };
    const opening = device.adapter.openStream?.(request, signal);
    await assert.rejects(opening ?? Promise.resolve(), /did not confirm the create-subscription/);
  });

  const CONFIRMATIONS: Readonly<Record<string, string>> = {
    'a warning': warning('requires a license'),
    'a warning and ok': `${warning('requires a license')}<ok/>`,
    'a nested warning, results and ok': `<commit-results>${warning('requires a license')}<routing-engine><name>re0</name></routing-engine></commit-results><ok/>`,
  };
  for (const [name, content] of Object.entries(CONFIRMATIONS))
    it(`reports success for a commit that is answered with ${name}, and logs the warning`, async () => {
      answer('commit', content);
      device.lines.length = 0;
      assert.equal(await change(), '201');
      const logged = device.lines.find(({ message }) => message.includes('with warnings'));
      assert.deepEqual(logged?.fields, { operation: 'commit', warnings: 'requires a license' });
    });

  it('returns the warnings of all operations of a change, each once (bug: only the log had them)', async () => {
    const license = warning('requires a license');
    answer('commit', `${license}${warning('is "deprecated"')}${license}`);
    const { status, headers, body } = await device.call(...CHANGE);
    assert.deepEqual([status, headers['content-type']], [201, 'application/yang-data+json']);
    assert.deepEqual(JSON.parse(body.toString()), { warnings: ['requires a license', 'is "deprecated"'] });
    answer('edit-config', `${warning('w')}<ok/>`);
    assert.deepEqual(JSON.parse((await device.call(...CHANGE)).body.toString()), { warnings: ['w'] });
    answer('commit', '<ok/>');
    assert.equal((await device.call(...CHANGE)).body.length, 0);
  });

  it('returns the warnings of an operation without output', async () => {
    answer('restart', warning('restarts later'));
    const { status, body } = await device.call(`POST ${RESTART}`);
    assert.equal(status, 204);
    assert.deepEqual(JSON.parse(body.toString()), { warnings: ['restarts later'] });
  });

  it('does not take data for an error of the server', async () => {
    const data = dataWith('<hostname>a</hostname>').replace('</data>', '<rpc-error xmlns="urn:x"/></data>');
    answer('get', data);
    assert.deepEqual(await device.get(`${DEVICE}/hostname`), { 'test-device:hostname': 'a' });
  });
});
