import assert from 'node:assert/strict';
import { withoutByteOrderMark } from '../../src/json/byte-order-mark.js';

describe('withoutByteOrderMark', () => {
  it('removes one byte order mark at the start', () => {
    for (const [text, expected] of [
      ['\ufeff{}', '{}'],
      ['\ufeff\ufeff{}', '\ufeff{}'],
      ['{"a":"\ufeff"}', '{"a":"\ufeff"}'],
      ['\ufeff', ''],
      ['', ''],
    ] as const)
      assert.equal(withoutByteOrderMark(Buffer.from(text)).toString(), expected);
  });

  it('keeps a part of a mark, and the kind of the bytes', () => {
    const part = Buffer.from([0xef, 0xbb]);
    assert.equal(withoutByteOrderMark(part), part);
    assert.ok(Buffer.isBuffer(withoutByteOrderMark(Buffer.from('\ufeff1'))));
  });
});
