import assert from 'node:assert/strict';
import { FrameTracker, policyCloseFrame } from '../../src/http/web-socket-close.js';
import { textFrame } from '../support/stream-orchestrator.js';

const binaryFrame = (length: number): Buffer => {
  const head = length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x82;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(length)]);
};

describe('a tracker of WebSocket frames', () => {
  const frames = [textFrame('hello'), Buffer.from([0x89, 0]), binaryFrame(300), binaryFrame(70_000)];

  it('knows the end of each frame, however its bytes arrive', () => {
    for (const size of [1, 3, 1_000, 100_000]) {
      const tracker = new FrameTracker();
      for (const frame of frames) {
        assert.equal(tracker.isBetweenFrames, true);
        for (let at = 0; at < frame.length; at += size) {
          tracker.push(frame.subarray(at, at + size));
          assert.equal(tracker.isBetweenFrames, at + size >= frame.length, `${size} ${at} ${frame.length}`);
        }
      }
    }
  });

  it('knows the end of several frames in one chunk', () => {
    const tracker = new FrameTracker();
    tracker.push(Buffer.concat(frames));
    assert.equal(tracker.isBetweenFrames, true);
    tracker.push(Buffer.concat([...frames, Buffer.from([0x81])]));
    assert.equal(tracker.isBetweenFrames, false);
  });
});

describe('the close frame of a policy', () => {
  it('has the code 1008 and the reason, without a mask', () => {
    assert.deepEqual(policyCloseFrame('over'), Buffer.from([0x88, 6, 0x03, 0xf0, 0x6f, 0x76, 0x65, 0x72]));
  });
});
