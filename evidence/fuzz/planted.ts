import type { FuzzTarget } from './executor.js';

/**
 * Parsers with a planted fault that only one of 4 billion four-byte texts reaches: the search must find it.
 */
export const PLANTED: Readonly<Record<string, FuzzTarget>> = {
  throws: behindFourBytes(() => {
    throw new Error('the fault that was planted');
  }),
  loops: behindFourBytes(() => {
    for (;;);
  }),
};

function behindFourBytes(fault: () => void): FuzzTarget {
  return {
    seeds: ['hello'],
    tokens: [],
    run: (input) => {
      if (input[0] === 0x59) if (input[1] === 0x41) if (input[2] === 0x4e) if (input[3] === 0x47) fault();
    },
  };
}

/** Returns true for the URL of this script. */
export function holdsPlanted(url: string): boolean {
  return url === import.meta.url;
}
