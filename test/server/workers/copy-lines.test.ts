import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { copyLines } from '../../../src/server/workers/worker-process.js';

describe('copyLines', () => {
  it('writes only whole lines, so that lines of two processes do not mix', async () => {
    const [one, other, out] = [new PassThrough(), new PassThrough(), new PassThrough()];
    copyLines(one, out);
    copyLines(other, out);
    one.write('{"a":');
    other.write('{"b":2}\n{"b"');
    await setImmediate();
    one.write('1}\n');
    await setImmediate();
    other.end(':3}');
    await setImmediate();
    assert.deepEqual(String(out.read()).split('\n'), ['{"b":2}', '{"a":1}', '{"b":3}', '']);
  });
});
