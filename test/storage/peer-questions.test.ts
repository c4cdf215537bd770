import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createPeerQuestions, type OpenPeerQuestions } from '../../src/storage/peer-questions.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { until } from '../support/until.js';

/** Connects nodes; `extra` listeners never answer. */
function openNodes(names: readonly string[], extra = 0) {
  const nodes: OpenPeerQuestions[] = [];
  const sent: string[] = [];
  for (const node of names)
    nodes.push(
      createPeerQuestions({
        node,
        send: (payloads) => {
          sent.push(...payloads);
          for (const payload of payloads) for (const other of nodes) other.receive(payload);
          return Promise.resolve();
        },
        countListeners: () => Promise.resolve(names.length + extra),
      }),
    );
  return { nodes, sent };
}

describe('createPeerQuestions', () => {
  it('returns the answers of all other nodes', async () => {
    const { nodes } = openNodes(['a', 'b', 'c']);
    const [a, b, c] = nodes as [OpenPeerQuestions, OpenPeerQuestions, OpenPeerQuestions];
    a.onQuestion(() => assert.fail('a node does not answer itself'));
    b.onQuestion((question) => `b: ${question}`);
    c.onQuestion((question) => `c: ${question}`);
    const { answers, silent } = await a.ask('wo? 日本', createFakeScheduler());
    assert.deepEqual([...answers].sort(), ['b: wo? 日本', 'c: wo? 日本']);
    assert.equal(silent, 0);
  });

  it('asks nobody if it is the only node', async () => {
    const { nodes, sent } = openNodes(['a']);
    assert.deepEqual(await nodes[0]?.ask('q', createFakeScheduler()), { answers: [], silent: 0 });
    assert.deepEqual(sent, []);
  });

  it('counts the nodes that do not answer in time', async () => {
    const { nodes, sent } = openNodes(['a', 'b'], 1);
    nodes[1]?.onQuestion(() => 'b');
    const clock = createFakeScheduler();
    const asked = nodes[0]?.ask('q', clock);
    await until(() => sent.length === 2);
    await clock.pass(1_500);
    assert.deepEqual(await asked, { answers: ['b'], silent: 1 });
  });

  it('sends a long answer in notifications of less than 8,000 bytes', async () => {
    const { nodes, sent } = openNodes(['a', 'b']);
    const long = randomBytes(60_000).toString('hex');
    nodes[1]?.onQuestion(() => long);
    const { answers } = (await nodes[0]?.ask('q', createFakeScheduler())) ?? { answers: [] };
    assert.equal(answers[0], long);
    assert.ok(sent.length > 5);
    assert.ok(sent.every((payload) => Buffer.byteLength(payload) < 8_000));
  });

  it('sends no question that is too long, and reports the nodes as silent', async () => {
    const { nodes, sent } = openNodes(['a', 'b']);
    nodes[1]?.onQuestion(() => 'b');
    const asked = await nodes[0]?.ask('x'.repeat(3_000), createFakeScheduler());
    assert.deepEqual(asked, { answers: [], silent: 1 });

    assert.deepEqual(sent, []);
  });

  it('reports the nodes that it knew as silent while the database is away', async () => {
    let isAway = false;
    const away = (): Promise<never> => Promise.reject(new Error('no connection'));
    const node = createPeerQuestions({
      node: 'a',
      send: away,
      countListeners: () => (isAway ? away() : Promise.resolve(3)),
    });
    assert.deepEqual(await node.ask('q', createFakeScheduler()), { answers: [], silent: 2 });
    isAway = true;
    assert.deepEqual(await node.ask('q', createFakeScheduler()), { answers: [], silent: 2 });
  });

  it('ignores notifications that it does not understand', async () => {
    const { nodes } = openNodes(['a', 'b']);
    nodes[1]?.onQuestion(() => 'b');
    const answer = '{"answer":"x","from":"b","part":0,"parts":1,"data":"?"}';
    for (const payload of ['', 'null', '[]', '{"ask":1}', answer])
      for (const node of nodes) node.receive(payload);
    assert.deepEqual(await nodes[0]?.ask('q', createFakeScheduler()), { answers: ['b'], silent: 0 });
  });
});
