import assert from 'node:assert/strict';
import { fileOf, openRuntime, recordOf, type TestRuntime } from '../../support/adapter-runtime.js';
import { until } from '../../support/until.js';

/** Options of an adapter whose start fails because no orchestrator answers its check. */
const FAILING_CHECK = 'options: { check: /x }\n';

describe('runtime overrides', () => {
  let runtime: TestRuntime;
  beforeEach(async () => {
    runtime = await openRuntime({ records: [recordOf('registered')] });
    runtime.write('filed', fileOf());
    await runtime.reload();
  });
  afterEach(() => runtime.close());

  for (const id of ['filed', 'registered'])
    it(`restart the ${id} adapter exactly once per request`, async () => {
      const { setOverrides: overrides, applyRecords: apply, instance } = runtime;
      const before = instance(id);
      overrides(id, { restarts: 1 });
      await apply();
      const after = instance(id);
      assert.notEqual(after, before);
      assert.equal(after?.state().name, 'RUNNING');
      await until(() => before?.state().name === 'STOPPED');
      await apply();
      await runtime.reload();
      assert.equal(instance(id), after);
    });

  it('keep the previous adapter, marked as outdated, if its replacement does not start', async () => {
    const { write, setOverrides: overrides, reload, applyRecords: apply, instance, current } = runtime;
    const before = instance('filed');
    write('filed', fileOf(FAILING_CHECK));
    await reload();
    assert.equal(instance('filed'), before);
    overrides('filed', { restarts: 1 });
    assert.deepEqual(await apply(), []);
    assert.equal(instance('filed'), before);
    assert.deepEqual([...current.current().outdated.keys()], ['filed']);
    overrides('filed', { wanted: 'stopped' });
    await apply();
    assert.deepEqual([runtime.states()['filed'], current.current().outdated.size], ['STOPPED', 0]);
  });

  it('keep the instance of a paused or refusing adapter', async () => {
    const { setOverrides: overrides, applyRecords: apply, instance, current } = runtime;
    const before = [instance('filed'), instance('registered')];
    overrides('filed', { wanted: 'paused' });
    overrides('registered', { wanted: 'refusing' });
    await apply();
    assert.deepEqual([instance('filed'), instance('registered')], before);
    assert.deepEqual(Object.fromEntries(current.current().suspended), {
      filed: 'paused',
      registered: 'refusing',
    });
  });

  it('do not suspend an adapter that does not run (bug: calls to a disabled adapter waited)', async () => {
    const { write, setOverrides: overrides, reload, current } = runtime;
    write('filed', fileOf('enabled: false\n'));
    overrides('filed', { wanted: 'paused' });
    await reload();
    assert.deepEqual([runtime.states()['filed'], current.current().suspended.size], ['STOPPED', 0]);
  });

  it('stop, start and restart an application, which a reload leaves unchanged', async () => {
    const { setOverrides: overrides, applyRecords: apply, reload, current } = runtime;
    const tools = () => current.current().applications.get('Tools');
    const first = tools();
    await reload();
    assert.equal(tools(), first);
    overrides('Tools', { wanted: 'stopped' }, 'application');
    await apply();
    assert.equal(tools()?.state, 'STOPPED');
    assert.equal(current.current().applications.get('JsonForms')?.state, 'RUNNING');
    overrides('Tools', { wanted: 'running', restarts: 1 }, 'application');
    await apply();
    assert.deepEqual([tools()?.state, tools()?.restarts], ['RUNNING', 1]);
  });

  it('keep their last known state during a database outage, while reloads of the files continue', async () => {
    const { setOverrides: overrides, applyRecords: apply, write, reload, states, asked, lines } = runtime;
    overrides('filed', { wanted: 'stopped' });
    await apply();
    asked.failure = new Error('the database is away');
    await assert.rejects(apply(), /away/);
    write('another', fileOf());
    assert.deepEqual(await reload(), []);
    assert.deepEqual(states(), { another: 'RUNNING', filed: 'STOPPED', registered: 'RUNNING' });
    assert.ok(
      lines.some(({ level, message }) => level === 'warn' && message.startsWith('database read failed')),
    );
  });
});
