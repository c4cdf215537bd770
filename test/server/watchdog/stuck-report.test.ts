import assert from 'node:assert/strict';
import { describeStuckLoop } from '../../../src/server/watchdog/end-stuck-process.js';

const FRAME = { functionName: 'spin', url: 'file:///opt/plugins/slow/index.js', line: 3, column: 9 };

describe('describeStuckLoop', () => {
  it('names the plugin, the adapter, the method and the stack', () => {
    const call = { plugin: 'slow', adapter: 'nso1', method: 'translate' };
    const { message, fields } = describeStuckLoop({ seconds: 30, frames: [FRAME], call });
    assert.equal(
      message,
      'translate of the plugin "slow" for the adapter "nso1" does not return; ending the process',
    );
    const { fix, ...others } = fields;
    assert.match(fix, /Repair the plugin/);
    assert.deepEqual(others, {
      seconds: 30,
      ...call,
      exitCode: 70,
      stack: ['at spin (file:///opt/plugins/slow/index.js:3:9)'],
    });
  });

  it('shows code outside of a plugin by its stack, and at most twelve frames', () => {
    const frames = Array.from({ length: 50 }, () => ({ ...FRAME, functionName: '' }));
    const { message, fields } = describeStuckLoop({ seconds: 30, frames });
    assert.equal(message, 'code does not return; ending the process');
    assert.equal(fields.stack?.length, 12);
    assert.match(fields.stack[0] ?? '', /^at <anonymous> \(/);
  });

  it('reports the signal that ends code that cannot be interrupted', () => {
    const { fields } = describeStuckLoop({ seconds: 30, frames: [] });
    assert.deepEqual([fields.signal, fields.exitCode, fields.stack], ['SIGKILL', undefined, undefined]);
  });
});
