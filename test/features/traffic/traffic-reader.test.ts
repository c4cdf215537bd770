import assert from 'node:assert/strict';
import type { OperatorAct } from '../../../src/core/record-history.js';
import { actEvent, createTrafficReader, withActs } from '../../../src/features/traffic/traffic-reader.js';
import type { TimelineEvent, TrafficReport } from '../../../src/features/traffic/traffic-view.js';
import { columns } from '../../support/columns.js';

const event = (at: number, kind: TimelineEvent['kind'], adapter = 'nso1'): TimelineEvent => ({
  ...{ at, adapter, kind, text: '', by: null, reason: null, until: null, isAct: false, profile: null },
});
const act = (at: number, kind: TimelineEvent['kind']): TimelineEvent => ({
  ...event(at, kind),
  by: 'ada',
  isAct: true,
});
const shown = (observed: readonly TimelineEvent[], acts: readonly TimelineEvent[]) =>
  columns(withActs(observed, acts), 'at', 'kind', 'by');

describe('actEvent', () => {
  const textOf = (changes: Pick<OperatorAct, 'action' | 'detail'>): string =>
    actEvent({
      at: 0,
      about: { kind: 'adapter', name: 'nso1' },
      by: { name: 'ada', subject: 'ada', issuer: 'local' },
      reason: null,
      until: null,
      ...changes,
    }).text;

  for (const [action, detail, text] of [
    ['rolled-back', '3', 'ada rolled the adapter nso1 back to version 3'],
    ['rolled-back', null, 'ada rolled the adapter nso1 back to an earlier version'],
    [
      'scheduled',
      '2026-12-01T02:00:00Z',
      'ada scheduled a suspension of the adapter nso1 for 2026-12-01T02:00:00Z',
    ],
    ['log-level', 'debug', 'ada changed the log level of the adapter nso1 to debug'],
    ['stopped', null, 'ada stopped the adapter nso1'],
  ] as const)
    it(`names what was done: ${action}, ${detail ?? 'no detail'}`, () => {
      assert.equal(textOf({ action, detail }), text);
    });
});

describe('the acts of operators on the timeline', () => {
  it('stand in the order of time', () => {
    assert.deepEqual(shown([event(3, 'offline')], [act(1, 'paused'), act(5, 'resumed')]), [
      [1, 'paused', 'ada'],
      [3, 'offline', null],
      [5, 'resumed', 'ada'],
    ]);
  });

  it('replace the state changes that they cause', () => {
    const observed = [event(1_000, 'restarted'), event(2_000, 'configured')];
    const acts = [act(900, 'restarted'), act(1_900, 'updated')];
    assert.deepEqual(withActs(observed, acts), acts);
  });

  it('leave the changes of other adapters, of other kinds and of other times', () => {
    const observed = [event(1_000, 'restarted', 'nso2'), event(1_000, 'offline'), event(90_000, 'restarted')];
    assert.equal(shown(observed, [act(900, 'restarted')]).length, 4);
  });
});

const SECRET = 'hunter2-of-core1';
const START = Date.UTC(2026, 0, 1, 12);

const REPORT: Omit<TrafficReport, 'marks'> = {
  ...{ cellSeconds: 60, columnSeconds: 60, from: START, to: START + 3_600_000, isComplete: true },
  ...{ cells: [], latencies: [], adaptersLeft: 0 },
  adapters: [{ name: 'core1', calls: 1, errors: 0, clientErrors: 0, cells: [] }],
  flows: [{ caller: `ada ${SECRET}`, adapter: 'core1', calls: 1, errors: 0, clientErrors: 0 }],
};

const OFFLINE = { ...event(START + 1, 'offline', 'core1'), text: `core1 refused ${SECRET}` };

function readWith(acts: () => Promise<readonly OperatorAct[]>): Promise<TrafficReport> {
  const read = createTrafficReader({
    history: { read: () => Promise.resolve(REPORT) },
    timelineSince: () => [OFFLINE],
    store: { platform: { acts } },
    redactor: { redact: (text) => text.replace(SECRET, '***') },
  });
  return read({ from: START, to: REPORT.to, limit: 40 });
}

describe('createTrafficReader', () => {
  it('shows no known secret in the names of callers and in the events', async () => {
    const report = await readWith(() => Promise.resolve([]));
    assert.deepEqual([report.flows[0]?.caller, report.marks[0]?.text], ['ada ***', 'core1 refused ***']);
    assert.ok(report.isComplete);
  });

  it('returns the numbers and the observed events while the store fails, and says that acts are missing', async () => {
    const report = await readWith(() => Promise.reject(new Error('the store does not answer')));
    assert.equal(report.isComplete, false);
    assert.deepEqual([report.adapters.length, report.marks.map(({ kind }) => kind)], [1, ['offline']]);
  });
});
