import assert from 'node:assert/strict';
import { NO_OVERRIDES } from '../../src/core/component.js';
import { afterLevels, withLevels, withSentLevels } from '../../src/core/log-levels.js';

const LOUD = { console: 'debug', file: 'debug' } as const;
const before = withLevels(NO_OVERRIDES, { file: 'warn' });

describe('temporary log levels', () => {
  it('revert to the previous levels at their expiry and not before', () => {
    const loud = withLevels(before, LOUD, 1000);
    assert.deepEqual(loud.levels, LOUD);
    assert.equal(afterLevels(loud, 999), loud);
    assert.deepEqual(afterLevels(loud, 1000), before);
    assert.equal(afterLevels(before, 1000), before);
  });

  it('revert to the levels before the first change when they were changed twice', () => {
    const twice = withLevels(withLevels(before, LOUD, 1000), { file: 'spam' }, 5000);
    assert.deepEqual(twice.levels, { console: 'debug', file: 'spam' });
    assert.equal(afterLevels(twice, 1000), twice);
    assert.deepEqual(afterLevels(twice, 5000), before);
  });

  it('keep a level that was set permanently in the meantime', () => {
    const kept = withLevels(withLevels(before, LOUD, 1000), { console: 'debug' });
    assert.deepEqual(kept.levels, LOUD);
    assert.deepEqual(afterLevels(kept, 1000).levels, { file: 'warn', console: 'debug' });
  });

  it('do not become permanent when a client sends back the levels that it read', () => {
    const loud = withLevels(before, LOUD, 1000);
    const sent = withSentLevels(loud, { ...LOUD, syslog: 'error' });
    assert.deepEqual(afterLevels(sent, 1000).levels, { file: 'warn', syslog: 'error' });
  });
});
