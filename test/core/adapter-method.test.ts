import assert from 'node:assert/strict';
import { callPlugin, PLUGIN_CALL } from '../../src/core/adapter-method.js';

const running = (): unknown => Reflect.get(globalThis, Symbol.for(PLUGIN_CALL));

describe('callPlugin', () => {
  const outer = { plugin: 'restconf', adapter: 'nso1', method: 'create' };
  const inner = { plugin: 'restconf', adapter: 'nso1', method: 'translate' };

  it('records the call while the function runs, also inside another call', () => {
    const seen = callPlugin(outer, () => [running(), callPlugin(inner, running), running()]);
    assert.deepEqual([...seen, running()], [outer, inner, outer, undefined]);
  });

  it('removes the call after an exception', () => {
    assert.throws(() => callPlugin(outer, () => assert.fail('broken')), /broken/);
    assert.equal(running(), undefined);
  });
});
