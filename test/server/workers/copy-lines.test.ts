import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
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

  it('reads no more while the target is full, and goes on when it has room', async () => {
    const [from, out] = [new PassThrough(), new PassThrough({ highWaterMark: 8 })];
    copyLines(from, out);
    for (let line = 0; line < 100; line += 1) from.write(`line ${line} of a worker\n`);
    await setImmediate();
    assert.ok(out.writableLength < 100, `${out.writableLength} bytes wait`);
    let text = '';
    out.on('data', (chunk: Buffer) => (text += String(chunk)));
    from.end();
    await once(from, 'end');
    assert.equal(text.split('\n').length, 101);
  });

  it('goes on after the target has failed', async () => {
    const from = new PassThrough();
    let fail: () => void = () => undefined;
    const out = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        fail = () => {
          done(new Error('the reader has gone'));
        };
      },
    });
    out.on('error', () => undefined);
    copyLines(from, out);
    from.write('a line\n');
    await setImmediate();
    fail();
    from.write('another\n');
    from.end('a last');
    await once(from, 'end');
  });
});
