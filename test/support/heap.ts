import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the bytes of the heap in use after a garbage collection. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
  return process.memoryUsage().heapUsed;
}
