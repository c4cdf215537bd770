import assert from 'node:assert/strict';
import { GrowingRoom } from '../../../../src/features/audit/trail/disk-reserve.js';

describe('GrowingRoom', () => {
  const setUp = (most: number) => {
    const steps: number[] = [];
    const room = new GrowingRoom(100, (bytes) => {
      steps.push(bytes);
      return Promise.resolve(steps.reduce((sum, step) => sum + step, 0) <= most);
    });
    return { room, steps };
  };

  it('grows in steps, once for all who wait, and holds without a promise while there is room', async () => {
    const { room, steps } = setUp(1000);
    assert.deepEqual(await Promise.all([room.hold(60), room.hold(60), room.hold(30)]), [true, true, true]);
    assert.deepEqual(steps, [100, 100]);
    assert.equal(room.hold(50), true);
    assert.equal(await room.hold(230), true);
    assert.deepEqual(steps, [100, 100, 300]);
  });

  it('holds nothing more without room, and the same room again after a release', async () => {
    const { room } = setUp(100);
    assert.equal(await room.hold(100), true);
    assert.equal(await room.hold(1), false);
    room.release(40);
    assert.equal(room.hold(40), true);
    assert.equal(await room.hold(1), false);
  });

  it('holds nothing more after room was taken away, until it has grown', async () => {
    const { room, steps } = setUp(300);
    assert.equal(await room.hold(100), true);
    room.resize(-100);
    room.release(10);
    assert.equal(await room.hold(10), true);
    assert.deepEqual(steps, [100, 100]);
  });

  it('tries again after a growth that failed', async () => {
    let fault: Error | undefined = new Error('EIO');
    const room = new GrowingRoom(100, () => (fault ? Promise.reject(fault) : Promise.resolve(true)));
    await assert.rejects(async () => room.hold(1), /EIO/);
    fault = undefined;
    assert.equal(await room.hold(1), true);
  });
});
