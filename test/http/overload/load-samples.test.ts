import assert from 'node:assert/strict';
import { createTurnSums, openLoadSampler } from '../../../src/http/overload/load-samples.js';

describe('Turns of the event loop', () => {
  it('have no delay if each is as long as the interval of the timer', () => {
    const turns = createTurnSums();
    for (let turn = 0; turn < 10; turn += 1) turns.add(10, 10);
    assert.equal(turns.takeDelayMs(), 0);
  });

  it('weigh by their length, because more calls arrive during a long one', () => {
    const turns = createTurnSums();
    for (const ms of [10, 10, 80]) turns.add(ms, ms);
    // (10 * 10 + 10 * 10 + 80 * 80) / 100, less the interval.
    assert.equal(turns.takeDelayMs(), 56);
  });

  it('keep the latest delay while there is no turn, and forget the turns of the sample before', () => {
    const turns = createTurnSums();
    turns.add(110, 110);
    assert.equal(turns.takeDelayMs(), 100);
    assert.equal(turns.takeDelayMs(), 100);
    turns.add(10, 10);
    assert.equal(turns.takeDelayMs(), 0);
  });

  it('have no delay while other processes use the processor (bug: calls were refused on a busy host)', () => {
    const turns = createTurnSums();
    for (let turn = 0; turn < 10; turn += 1) turns.add(400, 0);
    assert.equal(turns.takeDelayMs(), 0);
  });

  it('have the delay of the processor time that this process used', () => {
    const turns = createTurnSums();
    for (let turn = 0; turn < 10; turn += 1) turns.add(400, 30);
    assert.equal(turns.takeDelayMs(), 30);
  });
});

describe('openLoadSampler', () => {
  it('measures the share of the processor that this process used', () => {
    const sampler = openLoadSampler();
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 20_000) JSON.stringify(process.versions);
    const share = sampler.processorShare();
    sampler.close();
    assert.ok(share > 0 && share <= 1, String(share));
  });
});
