import assert from 'node:assert/strict';
import { column } from '../../support/columns.js';
import { assertMembers } from '../../support/members.js';
import { issueOf, openNotifierCluster, receiverOf } from '../../support/notifier-cluster.js';
import { until } from '../../support/until.js';

type Cluster = Awaited<ReturnType<typeof openNotifierCluster>>;

describe('the messages of notifiers', () => {
  let cluster: Cluster;
  const lookAll = async (nodes: readonly { readonly look: () => Promise<void> }[], rounds: number) => {
    for (let round = 0; round < rounds; round += 1) for (const { look } of nodes) await look();
  };
  beforeEach(async () => (cluster = await openNotifierCluster()));
  afterEach(() => cluster.close());

  describe('a notifier whose database does not answer', () => {
    it('reports that from memory, once, and its end when the database is back (bug: nothing was sent)', async () => {
      const one = cluster.start('one');
      await one.look();
      one.state.isStoreDown = true;
      await one.look(30);
      assert.deepEqual(cluster.events(), ['one: store begun']);
      assert.equal(one.lines.filter(({ message }) => message.startsWith('database does not')).length, 1);
      one.state.isStoreDown = false;
      await one.look(3);
      assert.deepEqual(cluster.events(), []);
      await one.look(10);
      assert.deepEqual(cluster.events(), ['one: store ended']);
      await one.look(10);
      assert.deepEqual(cluster.events(), []);
    });

    it('still reports the other problems of the last sender, and none as solved', async () => {
      const one = cluster.start('one');
      one.state.issues = [issueOf('p1')];
      await one.look();
      assert.deepEqual(cluster.events(), ['one: p1 begun']);
      one.state.isStoreDown = true;
      one.state.issues = [issueOf('p2', { adapters: ['nso2'] })];
      await one.look(20);
      assert.deepEqual(cluster.events(), ['one: store begun', 'one: p2 begun']);
      one.state.isStoreDown = false;
      await one.look(10);
      assert.deepEqual(cluster.events(), ['one: p1 ended', 'one: store ended']);
    });

    it('reports of the other processes only that the database does not answer', async () => {
      const [one, two] = [cluster.start('one'), cluster.start('two')];
      await lookAll([one, two], 1);
      for (const { state } of [one, two]) {
        state.isStoreDown = true;
        state.issues = [issueOf('p1')];
      }
      for (const { look } of [one, two]) await look(3);
      assert.deepEqual(cluster.events(), ['one: store begun', 'one: p1 begun', 'two: store begun']);
      for (const { state } of [one, two]) {
        state.isStoreDown = false;
        state.issues = [];
      }
      await lookAll([one, two], 12);
      assert.deepEqual(cluster.events().toSorted(), ['one: p1 ended', 'one: store ended']);
    });

    it('keeps the wait of a receiver, and its reminders', async () => {
      const one = cluster.start('one');
      one.state.receivers = [receiverOf('noc', { waitSeconds: 60, repeatMinutes: 10 })];
      await one.look();
      one.state.isStoreDown = true;
      await one.look(6);
      assert.deepEqual(cluster.events(), []);
      await one.look(1);
      assert.deepEqual(cluster.events(), ['one: store begun']);
      await one.look(60);
      assert.deepEqual(cluster.events(), ['one: store lasts']);
    });

    it('repeats no message that was sent before the store failed (bug: repeated at every look)', async () => {
      const one = cluster.start('one');
      one.state.failing.add('saveStates');
      one.state.issues = [issueOf('p1')];
      await one.look(10);
      assert.deepEqual(cluster.events(), ['one: p1 begun']);
      one.state.failing.clear();
      await one.look(2);
      assert.deepEqual(cluster.events(), []);
      one.state.issues = [];
      await one.look(10);
      assert.deepEqual(cluster.events(), ['one: p1 ended']);
    });
  });

  describe('notifiers of a cluster', () => {
    /** Starts two processes of which only the second sees the problem p1, which they report. */
    const startTwo = async () => {
      const [one, two] = [cluster.start('one'), cluster.start('two')];
      two.state.issues = [issueOf('p1')];
      await lookAll([one, two], 3);
      const [{ message } = { message: undefined }] = cluster.sent;
      assert.deepEqual(message?.problems[0]?.servers, ['two']);
      assert.deepEqual(cluster.events(), ['one: p1 begun']);
      return { one, two };
    };

    it('report a problem that only another process sees (bug: only the view of the sender was reported)', async () => {
      const { one, two } = await startTwo();
      two.state.issues = [];
      await lookAll([one, two], 10);
      assert.deepEqual(cluster.events(), ['one: p1 ended']);
    });

    it('report no end of a problem when another process takes over (bug: a false end)', async () => {
      const { one, two } = await startTwo();
      const three = cluster.start('three');
      await three.clock.pass(30_000);
      one.notifier.close();
      await lookAll([two, three], 20);
      assert.deepEqual(cluster.events(), []);
      two.state.issues = [];
      await lookAll([two, three], 10);
      assert.equal(cluster.events().length, 1);
    });

    it('report the end of a problem when the only process that saw it has stopped', async () => {
      const { one, two } = await startTwo();
      two.notifier.close();
      await one.look(4);
      assert.deepEqual(cluster.events(), []);
      await one.look(10);
      assert.deepEqual(cluster.events(), ['one: p1 ended']);
    });

    it('join the adapters of a problem that several processes see', async () => {
      const [one, two] = [cluster.start('one'), cluster.start('two')];
      one.state.issues = [issueOf('p1', { severity: 'warning', since: 9 })];
      two.state.issues = [issueOf('p1', { adapters: ['nso2'], title: 'nso2 is unreachable', since: 5 })];
      one.state.receivers = [receiverOf('noc', { waitSeconds: 20 })];
      await lookAll([one, two], 4);
      assertMembers(cluster.sent[0]?.message.problems[0], {
        ...{ title: '2 adapters are unreachable', severity: 'danger', since: 5 },
        ...{ adapters: ['nso1', 'nso2'], servers: ['one', 'two'] },
      });
    });

    it('show every process the problems and the failures of the others (bug: a node without the sender showed no failure)', async () => {
      const [one, two] = [cluster.start('one'), cluster.start('two')];
      one.state.issues = [issueOf('p1')];
      one.state.send = () => Promise.reject(new Error('status\u001b 500'));
      await lookAll([one, two], 2);
      await until(() => one.lines.some(({ message }) => message.startsWith('notification was not sent')));
      await lookAll([one, two], 1);
      assert.deepEqual(column(await two.notifier.problems(), 'id'), ['p1']);
      assert.equal((await two.notifier.failures()).get('noc')?.reason, 'status 500');
    });
  });

  describe('a notifier', () => {
    it('sends to all receivers while one hangs (bug: a slow receiver delayed all)', async () => {
      const one = cluster.start('one');
      one.state.receivers = [receiverOf('slow'), receiverOf('noc')];
      one.state.send = ({ name }) => (name === 'slow' ? new Promise(() => undefined) : Promise.resolve());
      for (const id of ['p1', 'p2']) {
        one.state.issues = [...one.state.issues, issueOf(id, { adapters: [id] })];
        await one.look();
      }
      assert.deepEqual(cluster.events(), ['one: p1 begun', 'one: p2 begun']);
    });

    it('tries a receiver again at once when its settings change or a test message arrives', async () => {
      const one = cluster.start('one');
      one.state.issues = [issueOf('p1')];
      one.state.send = () => Promise.reject(new Error('refused'));
      const failures = () =>
        one.lines.filter(({ message }) => message.startsWith('notification was not')).length;
      await one.look();
      await until(() => failures() === 1);
      one.state.receivers = [receiverOf('noc')];
      await one.look();
      await until(() => failures() === 2);
      one.state.send = () => Promise.resolve();
      await one.notifier.test(receiverOf('noc'));
      cluster.events();
      await one.look();
      await until(() => cluster.sent.length > 0);
      assert.deepEqual(cluster.events(), ['one: p1 begun']);
    });

    it('removes the states of a receiver that has been removed from the settings for an hour (bug: they stayed)', async () => {
      const one = cluster.start('one');
      one.state.receivers = [receiverOf('noc'), receiverOf('old')];
      one.state.issues = [issueOf('p1')];
      await one.look(2);
      one.state.receivers = [receiverOf('noc')];
      const receivers = async () => (await one.store.states()).map(({ receiver }) => receiver).sort();
      await one.look(300);
      assert.deepEqual(await receivers(), ['noc', 'old']);
      await one.look(70);
      assert.deepEqual(await receivers(), ['noc']);
    });

    it('removes an acknowledgement after its problem ended, also without receivers (bug: it stayed)', async () => {
      const one = cluster.start('one');
      one.state.receivers = [];
      one.state.issues = [issueOf('p1')];
      await one.store.acknowledge({ problem: 'p1', note: '', by: null, at: 0 });
      await one.look(70);
      assert.equal((await one.store.acknowledgements()).length, 1);
      one.state.issues = [];
      await one.look(62);
      assert.deepEqual(await one.store.acknowledgements(), []);
    });

    it('writes titles and causes in one line without control characters', async () => {
      const one = cluster.start('one');
      one.state.issues = [issueOf('p1', { cause: '<b>down\u001b[31m\r\nBcc: eve@example.com\u202e' })];
      await one.look();
      assert.equal(cluster.sent[0]?.message.problems[0]?.cause, '<b>down [31m Bcc: eve@example.com');
    });
  });
});
