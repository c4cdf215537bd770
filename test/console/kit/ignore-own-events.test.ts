import assert from 'node:assert/strict';
import { createEchoFilter } from '../../../console/src/kit/ignore-own-events.js';

describe('console: what an editor hears of itself', () => {
  it('is no news, not even when something newer was told since', () => {
    const { notify: tell, isEcho } = createEchoFilter<string>();
    tell('a');
    tell('ab');
    assert.deepEqual([isEcho('a'), isEcho('ab')], [true, true]);
  });

  it('may leave out what was drawn at once with what came after it', () => {
    const { notify: tell, isEcho, latest } = createEchoFilter<string>();
    tell('a');
    tell('ab');
    assert.equal(isEcho('ab'), true);
    assert.equal(latest(), undefined);
  });

  it('is news once it has come back: a step that is taken back', () => {
    const { notify: tell, isEcho } = createEchoFilter<string>();
    tell('a');
    assert.deepEqual([isEcho('a'), isEcho('a')], [true, false]);
  });

  it('ends with news from elsewhere', () => {
    const { notify: tell, isEcho, latest } = createEchoFilter<string>();
    tell('a');
    assert.deepEqual([isEcho('theirs'), latest(), isEcho('a')], [false, undefined, false]);
  });
});
