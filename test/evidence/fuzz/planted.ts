import type { FuzzTarget } from './loop.js';

/** A parser with a fault that only one text of four bytes in 4 billion reaches: the loop is to find it. */
export const PLANTED: FuzzTarget = {
  seeds: ['hello'],
  tokens: [],
  run: (input) => {
    if (input[0] === 0x59)
      if (input[1] === 0x41)
        if (input[2] === 0x4e) if (input[3] === 0x47) throw new Error('the fault that was planted');
  },
};

/** True for the script that it stands in. */
export function hasPlantedFault(url: string): boolean {
  return url === import.meta.url;
}
