import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import {
  createNetconfDouble,
  errorReply,
  helloWith,
  type NetconfDouble,
  type NetconfDoubleOptions,
} from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { DEVICE_MODULE } from './device-module.js';
import { CAPABILITIES, INET, optionsForDouble } from './double-adapter.js';

const BASE = 'urn:ietf:params:netconf:base:';
const DEVICE = '/restconf/data/test-device:device';
const DATA = (content: string): string => `<data><device xmlns="urn:test:device">${content}</device></data>`;

describe('the plugin netconf with a server that misbehaves', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function doubleWith(options: NetconfDoubleOptions = {}): Promise<NetconfDouble> {
    const schemas = { 'test-device': DEVICE_MODULE, 'ietf-inet-types': INET };
    const double = await createNetconfDouble({ capabilities: CAPABILITIES, schemas, ...options });
    open.push(() => double.close());
    return double;
  }

  async function start(
    double: NetconfDouble,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<TestAdapter> {
    const device = await startAdapter(optionsForDouble(double, more));
    open.push(() => device.stop());
    return device;
  }

  async function problemOf(work: Promise<unknown>): Promise<string> {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return `${error.code}: ${error.message}`;
    }
    return 'no problem';
  }

  it('logs in with a password, and with a prompt for it', async () => {
    for (const asksByPrompt of [false, true]) {
      const double = await doubleWith({ asksByPrompt, onOperation: () => DATA('<offset>1</offset>') });
      assert.deepEqual(await (await start(double)).get(`${DEVICE}/offset`), { 'test-device:offset': 1 });
    }
  });

  it('reports refused credentials, and does not try again at once', async () => {
    const double = await doubleWith({ password: 'another' });
    assert.match(await problemOf(start(double)), /^upstream_auth: credentials refused/);
    assert.equal(double.sessions(), 0);
  });

  it('sends no password to a server with another host key', async () => {
    const double = await doubleWith();
    const options = { ...optionsForDouble(double) };
    const ssh = options.ssh && { ...options.ssh, hostKeys: [`SHA256:${'A'.repeat(43)}`] };
    const problem = await problemOf(startAdapter({ ...options, ...(ssh && { ssh }) }));
    assert.match(problem, /^upstream_unreachable: the host key of the server is SHA256:/);
    assert.equal(double.logins(), 0);
  });

  const HELLOS: Readonly<Record<string, readonly [sent: string, problem: RegExp]>> = {
    'that is no XML': ['hello]]>]]>', /^upstream_bad_reply: what the server sent is not well-formed/],
    'with a document type': [
      '<!DOCTYPE a [<!ENTITY b "c">]><hello/>]]>]]>',
      /^upstream_bad_reply: .*document type/,
    ],
    'that is something else': ['<rpc-reply/>]]>]]>', /^upstream_bad_reply: the server sent no hello/],
    'of no known version': [`${helloWith(['urn:x'])}]]>]]>`, /^upstream_bad_reply: the server sent no hello/],
    'without an end': ['x'.repeat(70_000), /^upstream_too_large/],
  };
  for (const [name, [sent, expected]] of Object.entries(HELLOS))
    it(`refuses a hello ${name}`, async () => {
      const double = await doubleWith({
        onConnect: (session) => {
          session.write(sent);
        },
      });
      assert.match(await problemOf(start(double, { maxReplyBytes: 65_536 })), expected);
    });

  it('ends the wait for a hello that does not come', async () => {
    const double = await doubleWith({ onConnect: () => undefined });
    assert.match(
      await problemOf(start(double, { connectMs: 300 })),
      /^upstream_timeout: no hello within 300 ms/,
    );
  });

  it('accepts a hello without a namespace, in pieces', async () => {
    const hello = `${helloWith([`${BASE}1.0`, ...CAPABILITIES]).replace(/ xmlns="[^"]*"/, '')}\n]]>]]>`;
    const double = await doubleWith({
      onConnect: (session) => {
        for (const byte of hello.split('')) session.write(byte);
      },
      onOperation: () => DATA('<offset>1</offset>'),
    });
    assert.equal(await (await start(double)).outcome(`GET ${DEVICE}`), '200');
  });

  it('speaks NETCONF 1.0 with a server that has no other version', async () => {
    const capabilities = CAPABILITIES.filter((uri) => uri !== `${BASE}1.1`);
    const double = await doubleWith({
      capabilities,
      onOperation: () => DATA('<hostname>]]&gt;]]&gt;</hostname>'),
    });
    assert.deepEqual(await (await start(double)).get(`${DEVICE}/hostname`), {
      'test-device:hostname': ']]>]]>',
    });
  });

  const REPLIES: Readonly<Record<string, readonly [sent: string, problem: RegExp]>> = {
    'with bytes that are no chunk': ['garbage', /^upstream_bad_reply: .*no chunk/],
    'with a broken character': ['\n#1\nx\n##\n', /^upstream_bad_reply/],
    'nested too deeply': [`\n#3000\n${'<a>'.repeat(1000)}\n##\n`, /^upstream_bad_reply: .*nested deeper/],
    'that does not end': [`\n#4294967295\n${'x'.repeat(100_000)}`, /^upstream_too_large/],
    'without a schema for its content': [
      '',
      /^upstream_bad_reply: the reply of the server cannot be written as JSON: .*urn:other/,
    ],
  };
  for (const [name, [sent, expected]] of Object.entries(REPLIES))
    it(`refuses a reply ${name}, and goes on with another session`, async () => {
      let isFirst = true;
      const double = await doubleWith({
        onOperation(_operation, session) {
          if (!isFirst) return DATA('<offset>1</offset>');
          isFirst = false;
          if (sent === '')
            return '<data><device xmlns="urn:test:device"><x xmlns="urn:other"/></device></data>';
          session.write(sent);
          return undefined;
        },
      });
      const device = await start(double, { maxReplyBytes: 65_536 });
      assert.match(await problemOf(device.call(`GET ${DEVICE}`)), expected);
      assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
    });

  it('gives a call its own reply, whatever the order', async () => {
    const held: (() => void)[] = [];
    const double = await doubleWith({
      onOperation(operation, session, messageId) {
        const wanted = operation.children[0]?.children[0]?.children[0]?.name ?? '';
        held.push(() => {
          session.reply(messageId, DATA(`<${wanted}>${wanted === 'offset' ? 1 : 200}</${wanted}>`));
        });
        if (held.length === 2) for (const answer of held.reverse()) answer();
        return undefined;
      },
    });
    const device = await start(double);
    const replies = await Promise.all([device.get(`${DEVICE}/offset`), device.get(`${DEVICE}/mtu`)]);
    assert.deepEqual(replies, [{ 'test-device:offset': 1 }, { 'test-device:mtu': 200 }]);
  });

  it('ends a call whose signal fires, and closes its session', async () => {
    const caller = new AbortController();
    const double = await doubleWith({
      onOperation() {
        caller.abort(new Problem('caller_gone', 'gone'));
        return undefined;
      },
    });
    const device = await start(double);
    assert.match(await problemOf(device.call(`GET ${DEVICE}`, undefined, caller.signal)), /^caller_gone/);
  });

  it('leaves out a module that does not compile, and refuses its data', async () => {
    const capabilities = [...CAPABILITIES, 'urn:bad?module=bad'];
    const schemas = {
      'test-device': DEVICE_MODULE,
      'ietf-inet-types': INET,
      bad: 'module bad { namespace "urn:bad"; prefix b; leaf x { type nothing; } }',
    };
    const device = await start(
      await doubleWith({ capabilities, schemas, onOperation: () => DATA('<offset>1</offset>') }),
    );
    assert.deepEqual(
      device.lines.filter(({ level }) => level === 'warn').map(({ message }) => message),
      ['a YANG module of the server is left out'],
    );
    assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
    assert.match(
      await device.outcome('GET /restconf/data/bad:x'),
      /^404 invalid-value: there is no node "bad:x"/,
    );
  });

  it('does not start without any schema', async () => {
    assert.match(
      await problemOf(start(await doubleWith({ schemas: {} }))),
      /^adapter_unavailable: no YANG module of the server is known/,
    );
  });

  describe('during a change', () => {
    const change = (device: TestAdapter) => device.call(`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 });

    /** Answers every operation with ok or empty data, but for one. */
    function answering(
      name: string,
      answer: NonNullable<NetconfDoubleOptions['onOperation']>,
    ): NetconfDoubleOptions {
      return {
        onOperation: (operation, session, id) => {
          if (operation.name === name) return answer(operation, session, id);
          return operation.name.startsWith('get') ? '<data/>' : '<ok/>';
        },
      };
    }

    it('locks, edits, validates, commits and unlocks', async () => {
      const double = await doubleWith(answering('', () => undefined));
      assert.equal((await change(await start(double))).status, 201);
      const names = double.names().slice(double.names().indexOf('lock'));
      assert.deepEqual(names, ['lock', 'get-config', 'edit-config', 'validate', 'commit', 'unlock']);
    });

    it('confirms the commit if the setting says so', async () => {
      const capabilities = [
        ...CAPABILITIES,
        'urn:ietf:params:netconf:capability:confirmed-commit:1.1',
        'urn:ietf:params:netconf:capability:startup:1.0',
      ];
      const double = await doubleWith({ ...answering('', () => undefined), capabilities });
      assert.equal((await change(await start(double, { confirmSeconds: 30 }))).status, 201);
      assert.deepEqual(double.names().slice(-5), ['validate', 'commit', 'commit', 'copy-config', 'unlock']);
      const commits = double.operations.filter(({ name }) => name === 'commit');
      assert.deepEqual(
        commits.map(({ children }) => children.map(({ name, text }) => `${name} ${text}`)),
        [['confirmed ', 'confirm-timeout 30'], []],
      );
    });

    it('answers 409 if another session keeps the lock', async () => {
      const double = await doubleWith(answering('lock', () => errorReply('lock-denied', 'held by 7')));
      const device = await start(double, { lockMs: 0 });
      assert.match(
        await device.outcome(`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 }),
        /^409 lock-denied: held by 7/,
      );
      assert.ok(!double.names().includes('discard-changes'));
    });

    it('takes back a change that the server refuses', async () => {
      const double = await doubleWith(answering('commit', () => errorReply('operation-failed', 'no')));
      const device = await start(double);
      assert.match(
        await device.outcome(`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 }),
        /^500 operation-failed: no/,
      );
      assert.deepEqual(double.names().slice(-3), ['commit', 'discard-changes', 'unlock']);
    });

    it('says that the result is unknown if the connection ends during the commit, and sends it once', async () => {
      const double = await doubleWith(
        answering('commit', (_operation, session) => {
          session.drop();
          return undefined;
        }),
      );
      const device = await start(double);
      assert.match(
        await problemOf(change(device)),
        /^upstream_unreachable: the server did not answer the commit: whether the change is made is unknown/,
      );
      assert.equal(double.names().filter((name) => name === 'commit').length, 1);
    });

    it('refuses changes of a server that has none', async () => {
      const capabilities = [`${BASE}1.1`, 'urn:test:device?module=test-device&revision=2026-01-01'];
      const device = await start(await doubleWith({ ...answering('', () => undefined), capabilities }));
      assert.match(
        await device.outcome(`PUT ${DEVICE}/offset`, { 'test-device:offset': 1 }),
        /^501 operation-not-supported/,
      );
    });
  });

  it('keeps to its number of sessions, and refuses calls that find no place to wait', async () => {
    const held: (() => void)[] = [];
    const double = await doubleWith({
      onOperation(_operation, session, messageId) {
        held.push(() => {
          session.reply(messageId, DATA('<offset>1</offset>'));
        });
        if (held.length >= 2) for (const answer of held.splice(0)) answer();
        return undefined;
      },
    });
    const device = await start(double, { sessions: 2, maxWaiting: 2 });
    const calls = Array.from({ length: 5 }, () => problemOf(device.call(`GET ${DEVICE}`)));
    const outcomes = await Promise.all(calls);
    assert.deepEqual(outcomes.map((outcome) => outcome.split(':')[0]).sort(), [
      'no problem',
      'no problem',
      'no problem',
      'no problem',
      'upstream_busy',
    ]);
    assert.equal(double.sessions(), 2);
  });

  it('is offline while the server is away, and connects again by itself', async () => {
    const double = await doubleWith({ onOperation: () => DATA('<offset>1</offset>') });
    const device = await start(double);
    const state = (): string | undefined => device.adapter.connection?.().state;
    assert.equal(state(), 'ONLINE');
    await double.close();
    assert.match(await problemOf(device.call(`GET ${DEVICE}`)), /^upstream_unreachable/);
    assert.equal(state(), 'OFFLINE');
    assert.match(await problemOf(device.call(`GET ${DEVICE}`)), /^upstream_unreachable/);
    await doubleWith({ former: double });
    await until(() => state() === 'ONLINE');
  });
});
