import { Session } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';

/** Memory of a worker, in bytes. */
export interface WorkerMemory {
  /** Heap and Buffers. */
  readonly total: number;
  /** Buffers, and other memory outside of the heap. */
  readonly buffers: number;
}

/**
 * Creates a check of the memory of the thread that runs it: heap and Buffers, of which V8 limits the heap only. The check
 * calls `onExcess` if both together exceed the limit after a garbage collection.
 */
export function createMemoryCheck(limitBytes: number, onExcess: (memory: WorkerMemory) => void): () => void {
  let isCollecting = false;
  return () => {
    if (isCollecting || usedMemory().total <= limitBytes) return;
    isCollecting = true;
    collectGarbage(() => {
      isCollecting = false;
      const memory = usedMemory();
      if (memory.total > limitBytes) onExcess(memory);
    });
  };
}

function usedMemory(): WorkerMemory {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return { total: heap + buffers, buffers };
}

/** Collects the garbage of this thread. Memory that is only garbage is no reason to end a worker. */
function collectGarbage(done: () => void): void {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    // A session that disconnects within its own callback blocks the thread.
    setImmediate(() => {
      session.disconnect();
      done();
    });
  });
}
