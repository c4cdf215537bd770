import assert from 'node:assert/strict';
import type { OperatorAct } from '../../../src/core/record-history.js';
import { actEvent, withActs } from '../../../src/features/traffic/traffic-reader.js';
import type { TimelineEvent } from '../../../src/features/traffic/traffic-view.js';

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

  it('names the version that a rollback restored', () => {
    assert.equal(
      textOf({ action: 'rolled-back', detail: '3' }),
      'ada rolled the adapter nso1 back to version 3',
    );
    assert.equal(
      textOf({ action: 'rolled-back', detail: null }),
      'ada rolled the adapter nso1 back to an earlier version',
    );
  });

  it('names the begin of a scheduled suspension', () => {
    assert.equal(
      textOf({ action: 'scheduled', detail: '2026-12-01T02:00:00.000Z' }),
      'ada scheduled a suspension of the adapter nso1 for 2026-12-01T02:00:00.000Z',
    );
  });

  it('names the new log level, and nothing after other acts', () => {
    assert.equal(
      textOf({ action: 'log-level', detail: 'debug' }),
      'ada changed the log level of the adapter nso1 to debug',
    );
    assert.equal(textOf({ action: 'stopped', detail: null }), 'ada stopped the adapter nso1');
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
    const merged = [
      [900, 'restarted', 'ada'],
      [1_900, 'updated', 'ada'],
    ];
    assert.deepEqual(shown(observed, acts), merged);
  });

  it('leave the changes of other adapters, of other kinds and of other times', () => {
    const observed = [event(1_000, 'restarted', 'nso2'), event(1_000, 'offline'), event(90_000, 'restarted')];
    assert.equal(shown(observed, [act(900, 'restarted')]).length, 4);
  });
});
