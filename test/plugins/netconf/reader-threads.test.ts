import assert from 'node:assert/strict';
import { runConfirmed } from '../../../plugins/netconf/confirmed.js';
import { connectSession } from '../../../plugins/netconf/connect.js';
import { NETCONF } from '../../../plugins/netconf/messages.js';
import { createModelHolder } from '../../../plugins/netconf/model-holder.js';
import { type ReaderLimits, ReaderThreads } from '../../../plugins/netconf/reader-threads.js';
import { createSchemaTexts } from '../../../plugins/netconf/schema-texts.js';
import type { Session } from '../../../plugins/netconf/session.js';
import type { MessageContent } from '../../../plugins/netconf/thread-tasks.js';
import { silentLog } from '../../../src/core/log.js';
import { ByteBudget } from '../../../src/lib/byte-budget.js';
import { systemScheduler } from '../../../src/lib/clock.js';
import { createPluginConnect } from '../../../src/upstream/plugin-connect.js';
import { InstanceWorkers } from '../../../src/yang/instance-workers.js';
import { largeModule } from '../../support/large-module.js';
import { createNetconfDouble, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { openedByTest } from '../../support/opened.js';
import { sourcesOf } from '../../support/yang.js';
import { CAPABILITIES, optionsForDouble, outcomeOf } from './double-adapter.js';

const TERMS = { owner: 'r1', bytes: 10_000_000, depth: 100 };
const HELLO = '<hello><capabilities><capability>urn:a</capability></capabilities></hello>';

describe('the threads that read messages of NETCONF servers', () => {
  const opened = openedByTest();

  function open(...input: ConstructorParameters<typeof ReaderThreads>): ReaderThreads {
    const threads = new ReaderThreads(...input);
    void opened(threads);
    return threads;
  }

  /** Returns a timer that hands each piece of work over, and cancels none. */
  const timerOf = (take: (work: () => void) => void) => ({
    after(_ms: number, work: () => void) {
      take(work);
      return () => undefined;
    },
  });

  const { signal } = new AbortController();

  /** Starts a double. Returns it with its options, and a function that opens a session. */
  async function openDouble(threads: ReaderThreads, options: NetconfDoubleOptions) {
    const double = await opened(createNetconfDouble(options));
    const context = { name: 'r1', connect: createPluginConnect({}), threads, scheduler: systemScheduler };
    const netconf = optionsForDouble(double);
    return { double, netconf, connect: () => connectSession(netconf, context, signal) };
  }

  function read(threads: ReaderThreads, text: string): Promise<MessageContent> {
    const message = new TextEncoder().encode(text);
    return threads.read({ message, calls: new Map(), model: undefined, wantsEvents: false }, TERMS);
  }

  it('end with a message that exceeds the time, and the next message has another thread', async () => {
    const limits: (() => void)[] = [];
    const threads = open(
      {},
      timerOf((work) => limits.push(work)),
    );
    const hello: MessageContent = { kind: 'hello', capabilities: ['urn:a'] };
    assert.deepEqual(await read(threads, HELLO), hello);
    const reading = outcomeOf(read(threads, `<a>${'<b/>'.repeat(50_000)}</a>`));
    // The time limit passes while the message is read.
    limits.at(-1)?.();
    assert.match(await reading, /^upstream_too_large: what the server sent takes more than \d+ ms to read/);
    assert.deepEqual(await read(threads, HELLO), hello);
  });

  it('end with a model that exceeds the memory, and read messages of others afterwards', async () => {
    const text = largeModule({ areas: 40, parts: 20, leaves: 20 });
    const job = { sources: sourcesOf([text]), texts: [], directories: [], features: {}, limits: {} };
    const { model } = await new InstanceWorkers().compile(job, 'r1', new AbortController().signal);
    assert.ok(model);
    const threads = open({ smallHeapMb: 12 } satisfies Partial<ReaderLimits>);
    const request = { kind: 'operations', method: 'GET', rest: '', query: '', body: undefined } as const;
    const planning = threads.plan({ ...request, defaultsModes: [] }, { model, owner: 'r1' });
    assert.match(await outcomeOf(planning), /^upstream_too_large: .*needs more than 12 MB/);
    assert.deepEqual(await read(threads, HELLO), { kind: 'hello', capabilities: ['urn:a'] });
  });

  it('end with the reply to a commit: its result is unknown, and the next session has another thread', async () => {
    let isCommitting = false;
    // The thread has the message of the server at the end of this turn.
    const timer = timerOf((work) => {
      if (isCommitting) queueMicrotask(work);
    });
    const { connect } = await openDouble(open({}, timer), { capabilities: CAPABILITIES });
    const commit = (session: Session): Promise<unknown> =>
      runConfirmed(
        { session, signal, log: silentLog },
        {
          operation: { namespace: NETCONF, name: 'commit' },
          unconfirmed: { text: 'the result is unknown.', mayBeDone: true },
        },
      );
    const session = await connect();
    isCommitting = true;
    assert.equal(
      await outcomeOf(commit(session)),
      'upstream_too_large: the answer of the server to the commit could not be read: the result is unknown.',
    );
    assert.equal(session.isOpen(), false);
    isCommitting = false;
    const next = await connect();
    await commit(next);
    next.close();
  });

  it('give large messages a thread of their own', async () => {
    const threads = open({ smallBytes: 1000 });
    const order: string[] = [];
    const large = read(threads, `<a>${'<b>x</b>'.repeat(100_000)}</a>`).then(() => order.push('large'));
    await read(threads, HELLO).then(() => order.push('small'));
    await large;
    assert.deepEqual(order, ['small', 'large']);
  });

  it('are not given more schemas than the budget of one load, which is checked while they arrive', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `m${at}`);
    const text = (name: string): string =>
      `module ${name} { namespace "urn:${name}"; prefix x; /* ${'a'.repeat(200_000)} */ }`;
    const { double, netconf, connect } = await openDouble(open(), {
      capabilities: [...CAPABILITIES.slice(0, 1), ...names.map((name) => `urn:${name}?module=${name}`)],
      schemas: Object.fromEntries(names.map((name) => [name, text(name)])),
    });
    const session = await connect();
    const budget = new ByteBudget({ bytes: 10_000_000, bytesPerOwner: 1_000_000 });
    const starts = { timeoutMs: 60_000, takeSlot: () => Promise.resolve(() => undefined) };
    const texts = createSchemaTexts('r1', budget);
    const terms = { name: 'r1', log: silentLog, starts };
    const models = createModelHolder(netconf, terms, { maxModelBytes: 1e6, texts });
    const outcome = await outcomeOf(models.modelFor(session, signal));
    const expected = 'adapter_unavailable: the YANG modules of the server have more than 1000000 bytes';
    assert.ok(outcome.startsWith(expected), outcome);
    assert.ok(double.operations.length < names.length, `${double.operations.length} requests`);
    assert.equal(session.isOpen(), false);
    assert.equal(budget.reserved, 0);
  });
});
