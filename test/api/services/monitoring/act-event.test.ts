import assert from 'node:assert/strict';
import { withActs } from '../../../../src/api/services/monitoring/act-event.js';
import type { TimelineEvent } from '../../../../src/core/traffic-view.js';

const event = (at: number, kind: TimelineEvent['kind'], adapter = 'nso1'): TimelineEvent => ({
  ...{ at, adapter, kind, text: '', by: null, reason: null, until: null, isAct: false, profile: null },
});
const act = (at: number, kind: TimelineEvent['kind']): TimelineEvent => ({
  ...event(at, kind),
  by: 'ada',
  isAct: true,
});
const shown = (observed: readonly TimelineEvent[], acts: readonly TimelineEvent[]) =>
  withActs(observed, acts).map(({ at, kind, by }) => [at, kind, by]);

describe('the acts of operators on the timeline', () => {
  it('stand in the order of time', () => {
    assert.deepEqual(shown([event(3, 'offline')], [act(1, 'paused'), act(5, 'resumed')]), [
      [1, 'paused', 'ada'],
      [3, 'offline', null],
      [5, 'resumed', 'ada'],
    ]);
  });

  it('replace the state changes that they cause', () => {
    assert.deepEqual(
      shown(
        [event(1_000, 'restarted'), event(2_000, 'configured')],
        [act(900, 'restarted'), act(1_900, 'updated')],
      ),
      [
        [900, 'restarted', 'ada'],
        [1_900, 'updated', 'ada'],
      ],
    );
  });

  it('leave the changes of other adapters, of other kinds and of other times', () => {
    const observed = [event(1_000, 'restarted', 'nso2'), event(1_000, 'offline'), event(90_000, 'restarted')];
    assert.equal(shown(observed, [act(900, 'restarted')]).length, 4);
  });
});
