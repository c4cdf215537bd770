import assert from 'node:assert/strict';
import type { OperatorAct } from '../../../src/core/record-history.js';
import { createTrafficReader } from '../../../src/features/traffic/traffic-reader.js';
import type { TimelineEvent, TrafficReport } from '../../../src/features/traffic/traffic-view.js';

const SECRET = 'hunter2-of-core1';
const START = Date.UTC(2026, 0, 1, 12);

const REPORT: Omit<TrafficReport, 'marks'> = {
  cellSeconds: 60,
  from: START,
  to: START + 3_600_000,
  isComplete: true,
  cells: [],
  latencies: [],
  columnSeconds: 60,
  adapters: [{ name: 'core1', calls: 1, errors: 0, clientErrors: 0, cells: [] }],
  adaptersLeft: 0,
  flows: [{ caller: `ada ${SECRET}`, adapter: 'core1', calls: 1, errors: 0, clientErrors: 0 }],
};

const OFFLINE: TimelineEvent = {
  at: START + 1,
  adapter: 'core1',
  kind: 'offline',
  text: `core1 refused ${SECRET}`,
  by: null,
  reason: null,
  until: null,
  isAct: false,
  profile: null,
};

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
