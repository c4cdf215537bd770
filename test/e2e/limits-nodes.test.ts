import assert from 'node:assert/strict';
import { type Scheduler, systemScheduler } from '../../src/lib/clock.js';
import { callUrl } from '../support/call.js';
import { POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { scrape } from '../support/scrape.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

/** Number of calls that each limit permits; the period is a day, so that no time passes for the limit. */
const PERMITTED = 100;
const LIMITS = `limits:
  scripts: { operations: [login.whoami], requests: ${PERMITTED}, periodSeconds: 86400 }
`;

/** The time that a node waits for an exchange of portions with the database, in milliseconds. */
const EXCHANGE_TIMEOUT_MS = 2_000;
/** How many times as long the nodes wait while the database answers: a busy machine must not look like its failure. */
let patience = 5;
const clock: Scheduler = {
  ...systemScheduler,
  after: (ms, work) => systemScheduler.after(ms === EXCHANGE_TIMEOUT_MS ? ms * patience : ms, work),
};

describeWith(POSTGRES_PROGRAMS, 'limits of callers on two nodes with PostgreSQL', function () {
  this.timeout(90_000);
  let server: PostgresServer;
  const nodes: TestServer[] = [];

  const opened = openedBySuite();
  before(async () => {
    server = await opened(startPostgres({ own: true }));
    const storageUrl = await server.newUrl();
    for (let node = 0; node < 2; node += 1)
      nodes.push(
        await opened(startTestServer({ clock, storageUrl, nodeOf: nodes[0], main: { more: LIMITS } })),
      );
  });

  /** Sends calls of a subject to a node, ten at a time, and returns the number of admitted calls. */
  async function admitted(subject: string, calls: number, node: number): Promise<number> {
    const token = nodes[0]!.issueTokenFor(subject, 'admin');
    let count = 0;
    let left = calls;
    const send = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const { status } = await callUrl(`${nodes[node]!.url}/whoami`, { method: 'GET', token });
        if (status === 200) count += 1;
        else assert.equal(status, 429);
      }
    };
    await Promise.all(Array.from({ length: 10 }, send));
    return count;
  }
  const assertShared = (node: TestServer, shared: 0 | 1) =>
    eventually(async () => {
      assert.equal((await scrape(node)).samples.get('gatehouse_limits_shared'), shared);
    });

  it('permit within 10 % what one node permits, if another node takes over', async () => {
    const first = await admitted('eve', 60, 0);
    assert.equal(first, 60);
    await assertShared(nodes[1]!, 1);
    const count = first + (await admitted('eve', 200, 1));
    assert.ok(
      count >= 0.9 * PERMITTED && count <= 1.1 * PERMITTED,
      `${count} of ${PERMITTED} calls admitted`,
    );
  });

  it('apply the share of each node while the database is away, and report it', async () => {
    patience = 1;
    await server.pause();
    for (const node of nodes) await assertShared(node, 0);
    const token = nodes[0]!.issueTokenFor('joe', 'admin');
    const health = await callUrl(`${nodes[0]!.url}/health/status`, { method: 'GET', token });
    assert.match(health.text, /"service":"limits","status":"failed"/);
    await server.resume();
    for (const node of nodes) await assertShared(node, 1);
  });
});
