import assert from 'node:assert/strict';
import { type ClosableSnapshot, SnapshotHolder } from '../../../src/server/state/swap.js';

function snapshot(generation: number, closed: number[]): ClosableSnapshot {
  return {
    generation,
    close: () => Promise.resolve(void closed.push(generation)),
  } as unknown as ClosableSnapshot;
}

function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('SnapshotHolder', () => {
  it('keeps a snapshot open until the last call that uses it has ended', async () => {
    const closed: number[] = [];
    const current = new SnapshotHolder(snapshot(1, closed));
    const [first, second] = [createGate(), createGate()];
    const calls = [first, second].map(({ opened }) =>
      current.lease(async ({ generation }) => {
        await opened;
        return generation;
      }),
    );
    const swapped = current.swap(snapshot(2, closed));
    assert.equal(await current.lease(({ generation }) => Promise.resolve(generation)), 2);
    first.open();
    assert.equal(await calls[0], 1);
    assert.deepEqual(closed, []);
    second.open();
    assert.equal(await calls[1], 1);
    await swapped;
    assert.deepEqual(closed, [1]);
  });

  it('releases the lease of a call that fails', async () => {
    const closed: number[] = [];
    const current = new SnapshotHolder(snapshot(1, closed));
    await assert.rejects(
      current.lease(() => Promise.reject(new Error('call failed'))),
      /call failed/,
    );
    await current.swap(snapshot(2, closed));
    assert.deepEqual(closed, [1]);
  });

  it('closes each of several replaced snapshots exactly once', async () => {
    const closed: number[] = [];
    const current = new SnapshotHolder(snapshot(1, closed));
    const held = createGate();
    const call = current.lease(() => held.opened);
    const swaps = [2, 3, 4].map((generation) => current.swap(snapshot(generation, closed)));
    held.open();
    await Promise.all([call, ...swaps]);
    await current.close();
    assert.deepEqual([...closed].sort(), [1, 2, 3, 4]);
  });

  it('notifies a listener after each swap, until it unsubscribes', async () => {
    const current = new SnapshotHolder(snapshot(1, []));
    const seen: number[] = [];
    const cancel = current.onSwap(() => seen.push(current.current().generation));
    await current.swap(snapshot(2, []));
    await current.swap(snapshot(3, []));
    cancel();
    await current.swap(snapshot(4, []));
    assert.deepEqual(seen, [2, 3]);
  });
});
