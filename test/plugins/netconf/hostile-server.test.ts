import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { column } from '../../support/columns.js';
import { errorReply, helloWith, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import type { TestAdapter } from './adapter.js';
import { CAPABILITIES, dataWith, DEVICE, doublesOfTest, outcomeOf, SCHEMAS } from './double-adapter.js';

const BASE = 'urn:ietf:params:netconf:base:';
const OFFSET = dataWith('<offset>1</offset>');

describe('the plugin netconf with a server that misbehaves', () => {
  const { openDouble, openAdapter, start } = doublesOfTest();

  it('logs in with a password, and with a prompt for it', async () => {
    for (const asksByPrompt of [false, true]) {
      const { device } = await start({ asksByPrompt, onOperation: () => OFFSET });
      assert.deepEqual(await device.get(`${DEVICE}/offset`), { 'test-device:offset': 1 });
      assert.equal(device.adapter.connection?.().state, 'ONLINE');
    }
  });

  it('reports refused credentials, and does not try again at once', async () => {
    const double = await openDouble({ password: 'another' });
    const opening = openAdapter(double);
    assert.match(await outcomeOf(opening), /^upstream_auth: credentials refused/);
    await assert.rejects(opening, ({ extras }: Problem) => extras.isUnsent === true);
    assert.equal(double.sessions(), 0);
  });

  it('sends no password to a server with another host key', async () => {
    const double = await openDouble();
    const opening = openAdapter({ port: double.port, fingerprint: `SHA256:${'A'.repeat(43)}` });
    assert.match(await outcomeOf(opening), /^upstream_unreachable: the host key of the server is SHA256:/);
    assert.equal(double.logins(), 0);
  });

  const many = Array.from({ length: 8001 }, (_, at) => `urn:c${at}`);
  // Read in the process, these took 0.1 s of the event loop.
  const features = `urn:x?module=x&features=${'f,'.repeat(60_000)}`;
  const hello = (...more: readonly string[]): string => `${helloWith([...CAPABILITIES, ...more])}]]>]]>`;
  const HELLOS: Readonly<
    Record<string, readonly [sent: string, problem: RegExp, options?: { maxReplyBytes: number }]>
  > = {
    'that is no XML': ['hello]]>]]>', /^upstream_bad_reply: what the server sent is not well-formed/],
    'with a document type': [
      '<!DOCTYPE a [<!ENTITY b "c">]><hello/>]]>]]>',
      /^upstream_bad_reply: .*document type/,
    ],
    'that is something else': ['<rpc-reply/>]]>]]>', /^upstream_bad_reply: the server sent no hello/],
    'of no known version': [`${helloWith(['urn:x'])}]]>]]>`, /^upstream_bad_reply: the server sent no hello/],
    'without an end': ['x'.repeat(70_000), /^upstream_too_large/, { maxReplyBytes: 65_536 }],
    'of more than 2 MiB': [
      helloWith(['x'.repeat(2_100_000)]),
      /^upstream_too_large.*larger than 2097152 bytes/,
    ],
    'of more than 8,000 capabilities': [hello(...many), /^upstream_too_large.*more than 8000 capabilities/],
    'of more than 50,000 parameters': [hello(features), /^upstream_too_large.*more than 50000 parameters/],
  };
  for (const [name, [sent, expected, options]] of Object.entries(HELLOS))
    it(`refuses a hello ${name}`, async () => {
      const onConnect: NetconfDoubleOptions['onConnect'] = (session) => {
        session.write(sent);
      };
      assert.match(await outcomeOf(start({ onConnect }, options)), expected);
    });

  it('accepts a hello without a namespace, in pieces', async () => {
    const sent = `${helloWith([`${BASE}1.0`, ...CAPABILITIES]).replace(/ xmlns="[^"]*"/, '')}\n]]>]]>`;
    const { device } = await start({
      onConnect: (session) => {
        for (const byte of sent.split('')) session.write(byte);
      },
      onOperation: () => OFFSET,
    });
    assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
  });

  it('speaks NETCONF 1.0 with a server that has no other version', async () => {
    const capabilities = CAPABILITIES.filter((uri) => uri !== `${BASE}1.1`);
    const onOperation = () => dataWith('<hostname>]]&gt;]]&gt;</hostname>');
    const { device } = await start({ capabilities, onOperation });
    assert.deepEqual(await device.get(`${DEVICE}/hostname`), { 'test-device:hostname': ']]>]]>' });
  });

  it('gives a call its own reply, whatever the order', async () => {
    const held: (() => void)[] = [];
    const { device } = await start({
      onOperation(operation, session, messageId) {
        const wanted = operation.children[0]?.children[0]?.children[0]?.name ?? '';
        held.push(() => {
          session.reply(messageId, dataWith(`<${wanted}>${wanted === 'offset' ? 1 : 200}</${wanted}>`));
        });
        if (held.length === 2) for (const answer of held.reverse()) answer();
        return undefined;
      },
    });
    const replies = await Promise.all([device.get(`${DEVICE}/offset`), device.get(`${DEVICE}/mtu`)]);
    assert.deepEqual(replies, [{ 'test-device:offset': 1 }, { 'test-device:mtu': 200 }]);
  });

  it('ends a call whose signal fires, and closes its session', async () => {
    const caller = new AbortController();
    const { device } = await start({
      onOperation() {
        caller.abort(new Problem('caller_gone', 'gone'));
        return undefined;
      },
    });
    assert.match(
      await outcomeOf(device.call(`GET ${DEVICE}`, undefined, { signal: caller.signal })),
      /^caller_gone/,
    );
  });

  it('leaves out a module that does not compile, and refuses its data', async () => {
    const capabilities = [...CAPABILITIES, 'urn:bad?module=bad'];
    const bad = 'module bad { namespace "urn:bad"; prefix b; leaf x { type nothing; } }';
    const { device } = await start({ capabilities, schemas: { ...SCHEMAS, bad }, onOperation: () => OFFSET });
    const warnings = device.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(column(warnings, 'message'), ['a YANG module of the server is left out']);
    assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
    const outcome = await device.outcome('GET /restconf/data/bad:x');
    assert.match(outcome, /^404 invalid-value: there is no node "bad:x"/);
  });

  it('does not start without any schema', async () => {
    const starting = outcomeOf(start({ schemas: {} }));
    assert.match(await starting, /^adapter_unavailable: no YANG module of the server is known/);
  });

  describe('during a change', () => {
    const CHANGE = [`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 }] as const;
    const change = (device: TestAdapter) => device.outcome(...CHANGE);

    type Answer = NonNullable<NetconfDoubleOptions['onOperation']>;
    /** Answers every operation with ok or empty data, but for one. */
    const answering = (name = '', answer: Answer = () => undefined): NetconfDoubleOptions => ({
      onOperation: (operation, session, id) => {
        if (operation.name === name) return answer(operation, session, id);
        return operation.name.startsWith('get') ? '<data/>' : '<ok/>';
      },
    });

    it('locks, edits, validates, commits and unlocks', async () => {
      const { double, device } = await start(answering());
      assert.equal(await change(device), '201');
      const names = double.names().slice(double.names().indexOf('lock'));
      assert.deepEqual(names, ['lock', 'get-config', 'edit-config', 'validate', 'commit', 'unlock']);
    });

    it('confirms the commit if the setting says so', async () => {
      const more = ['confirmed-commit:1.1', 'startup:1.0'].map(
        (name) => `urn:ietf:params:netconf:capability:${name}`,
      );
      const options = { ...answering(), capabilities: [...CAPABILITIES, ...more] };
      const { double, device } = await start(options, { confirmSeconds: 30 });
      assert.equal(await change(device), '201');
      assert.deepEqual(double.names().slice(-5), ['validate', 'commit', 'commit', 'copy-config', 'unlock']);
      const commits = double.operations.filter(({ name }) => name === 'commit');
      assert.deepEqual(
        commits.map(({ children }) => children.map(({ name, text }) => `${name} ${text}`)),
        [['confirmed ', 'confirm-timeout 30'], []],
      );
    });

    it('answers 409 if another session keeps the lock', async () => {
      const denying = answering('lock', () => errorReply('lock-denied', 'held by 7'));
      const { double, device } = await start(denying, { lockMs: 0 });
      assert.match(await change(device), /^409 lock-denied: held by 7/);
      assert.ok(!double.names().includes('discard-changes'));
    });

    it('says that the result is unknown if the connection ends during the commit, and sends it once', async () => {
      const dropping = answering('commit', (_operation, session) => {
        session.drop();
        return undefined;
      });
      const { double, device } = await start(dropping);
      assert.match(
        await outcomeOf(device.call(...CHANGE)),
        /^upstream_unreachable: the server did not answer the commit: whether the change is made is unknown/,
      );
      for (const sent of ['edit-config', 'commit'])
        assert.equal(double.names().filter((name) => name === sent).length, 1);
      await until(() => double.sessions() === 0);
    });

    it('refuses changes of a server that has none', async () => {
      const capabilities = [`${BASE}1.1`, 'urn:test:device?module=test-device&revision=2026-01-01'];
      const { device } = await start({ ...answering(), capabilities });
      assert.match(await change(device), /^501 operation-not-supported/);
    });
  });
});
