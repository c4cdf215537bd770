import assert from 'node:assert/strict';
import { writeCertificate, writeHaproxy } from '../deploy/balancer-files.js';
import { callUrl } from '../support/call.js';
import { Node } from '../support/cluster/node.js';
import { issueToken } from '../support/cluster/run.js';
import { freePort } from '../support/free-port.js';
import { COMMAND, FLAGS } from '../support/gatehouse-command.js';
import { startLoad, startLoadBalancer } from '../support/load-balancer.js';
import { HAPROXY, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { startStreamOrchestrator } from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, until } from '../support/until.js';

/** Number of calls that succeed between two steps of a situation. */
const ENOUGH = 60;

/** Number of callers, each with one call after the other. */
const CALLERS = 4;

/** Two nodes on one database behind HAProxy, with callers. */
interface Site {
  readonly database: PostgresServer;
  readonly nodes: readonly Node[];
  /** Calls so far that failed, and the number of those that succeeded. */
  readonly load: ReturnType<typeof startLoad>;
  /** Waits until more calls have succeeded. */
  readonly goesOn: () => Promise<void>;
  /** Sends a request of an administrator through HAProxy. */
  readonly ask: (method: string, path: string, body?: object) => ReturnType<typeof callUrl>;
}

/** Opens a site for the tests of a suite, whose nodes record calls as `audit` says. */
function useSite(audit: string): () => Site {
  let site: Site | undefined;
  const opened = openedBySuite();
  before(async function () {
    this.timeout(120_000);
    const { path: folder } = temporaryFolder();
    const database = await opened(startPostgres({ own: true }));
    const orchestrator = await opened(
      startStreamOrchestrator({
        state: (_request, response) => {
          response.setHeader('content-type', 'application/json').end('{"up":true}');
        },
      }),
    );
    const nodes: Node[] = [];
    await opened({ close: () => Promise.all(nodes.map((node) => node.close())) });
    for (const name of ['edge1', 'edge2'])
      nodes.push(
        await Node.open(name, {
          folder,
          audit,
          storageUrl: database.url,
          orchestratorUrl: orchestrator.url,
          // Longer than the shipped checks need; a busy machine must not turn calls away, because the tests count them.
          server: 'lameDuckSeconds: 3, overload: null, trustedProxies: [127.0.0.1]',
          program: [...FLAGS, COMMAND],
        }),
      );
    const port = await freePort();
    const ports = nodes.map((node) => node.port) as unknown as readonly [number, number];
    const files = await writeCertificate(folder);
    const args = writeHaproxy('haproxy/haproxy.cfg', { ...files, folder, port, nodes: ports });
    const balancer = await startLoadBalancer('haproxy', args, port);
    await opened({ close: () => balancer.stop() });
    const url = `https://127.0.0.1:${port}`;
    const token = await issueToken(folder);
    const load = startLoad(url, token, CALLERS);
    await opened({ close: () => load.stop() });
    site = {
      database,
      nodes,
      load,
      async goesOn() {
        const enough = load.succeeded() + ENOUGH;
        await until(() => load.succeeded() >= enough);
      },
      ask: (method, path, body) => callUrl(`${nodes[0]?.url}${path}`, { method, token, body }),
    };
  });
  return () => {
    assert.ok(site);
    return site;
  };
}

/** Returns the calls that failed during some work. */
async function lostDuring({ load, goesOn }: Site, work: () => Promise<void>): Promise<readonly string[]> {
  await goesOn();
  const known = load.failures.length;
  await work();
  await goesOn();
  return load.failures.slice(known);
}

describeWith([HAPROXY, POSTGRES_PROGRAMS], 'two nodes with their audit trail in PostgreSQL', function () {
  this.timeout(120_000);
  const site = useSite('{ durability: store }');

  it('lose no call while both are restarted one after the other', async () => {
    const { nodes, goesOn } = site();
    const lost = await lostDuring(site(), async () => {
      for (const node of nodes) {
        assert.equal(await node.close(), 0);
        await goesOn();
        await node.start();
        // HAProxy sends calls to the node again.
        const known = node.lines.length;
        await until(() =>
          node.lines.slice(known).some(({ path }) => path === '/orchestrator_manager/restQuery/core1'),
        );
      }
    });
    assert.deepEqual(lost, []);
  });

  it('lose no call and no record when all database connections are terminated, again and again (bug: 68 of 281 were lost)', async () => {
    const { database, load, goesOn } = site();
    const count = 'select count(*)::int as n from audit where status = 200';
    const recorded = async (): Promise<number> => Number((await database.run(count))[0]?.['n']);
    const before = [load.succeeded(), await recorded()] as const;
    const lost = await lostDuring(site(), async () => {
      for (let times = 0; times < 6; times += 1) {
        await database.run(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await goesOn();
      }
    });
    assert.deepEqual(lost, []);
    const succeeded = load.succeeded() - before[0];
    // The queries of the load are not recorded; calls in flight may be recorded before their reply arrives.
    assert.ok((await recorded()) - before[1] >= Math.floor(succeeded / 2) - CALLERS);
  });

  it('answer 503 and nothing else while PostgreSQL is away, and serve by themselves when it is back', async () => {
    const { database, load, ask } = site();
    const lost = await lostDuring(site(), async () => {
      const known = load.failures.length;
      await database.pause();
      try {
        await until(() => load.failures.length > known);
        const refused = await ask('POST', '/json-forms/forms', { name: 'while away' });
        assert.equal(refused.status, 503, refused.text);
      } finally {
        await database.resume();
      }
      await eventually(async () => {
        assert.equal((await ask('POST', '/json-forms/forms', { name: 'back again' })).status, 200);
      });
    });
    assert.deepEqual(
      // The nodes are not ready without their audit trail, so that HAProxy answers after some checks.
      lost.filter((failure) => !/^\w+: 503 (?:.*"code":"audit_unavailable"|<html>)/.test(failure)),
      [],
    );
    assert.equal((await ask('POST', '/audit/verification')).status, 200);
    await eventually(async () => {
      assert.match((await ask('GET', '/audit/verification')).text, /"isIntact":true/);
    });
  });

  it('lose at most the open calls of a node that is killed', async () => {
    const [killed] = site().nodes as [Node];
    const lost = await lostDuring(site(), async () => {
      await killed.kill();
      await site().goesOn();
      await killed.start();
    });
    assert.ok(lost.length <= CALLERS, lost.join('\n'));
  });
});

describeWith([HAPROXY, POSTGRES_PROGRAMS], 'two nodes with audit files', function () {
  this.timeout(120_000);
  const site = useSite('{ file: data/audit.log }');

  it('lose no call while PostgreSQL is away, and refuse changes with 503 and Retry-After', async () => {
    const { database, ask, goesOn } = site();
    const lost = await lostDuring(site(), async () => {
      await database.pause();
      try {
        for (let times = 0; times < 3; times += 1) {
          const { status, headers, text } = await ask('POST', '/json-forms/forms', { name: 'while away' });
          assert.equal(status, 503, text);
          assert.ok(Number(headers['retry-after']) > 0);
          await goesOn();
        }
      } finally {
        await database.resume();
      }
      await eventually(async () => {
        assert.equal((await ask('POST', '/json-forms/forms', { name: 'back again' })).status, 200);
      });
    });
    assert.deepEqual(lost, []);
  });
});
