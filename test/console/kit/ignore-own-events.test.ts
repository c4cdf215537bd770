import assert from 'node:assert/strict';
import { createEchoFilter } from '../../../console/src/kit/ignore-own-events.js';

describe('createEchoFilter', () => {
  it('recognizes an echo, even after a newer value was sent', () => {
    const { notify: tell, isEcho } = createEchoFilter<string>();
    tell('a');
    tell('ab');
    assert.deepEqual([isEcho('a'), isEcho('ab')], [true, true]);
  });

  it('accepts the echo of the latest value without the echoes of earlier values', () => {
    const { notify: tell, isEcho, latest } = createEchoFilter<string>();
    tell('a');
    tell('ab');
    assert.equal(isEcho('ab'), true);
    assert.equal(latest(), undefined);
  });

  it('recognizes each echo only once', () => {
    const { notify: tell, isEcho } = createEchoFilter<string>();
    tell('a');
    assert.deepEqual([isEcho('a'), isEcho('a')], [true, false]);
  });

  it('forgets all pending echoes when a foreign value arrives', () => {
    const { notify: tell, isEcho, latest } = createEchoFilter<string>();
    tell('a');
    assert.deepEqual([isEcho('theirs'), latest(), isEcho('a')], [false, undefined, false]);
  });
});
