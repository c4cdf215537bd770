import { Problem } from '../core/problem.js';
import { networkOf } from '../lib/network-of.js';

/** Limits of the bodies that unauthenticated requests hold at the same time, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BYTES_PER_NETWORK = 1024 * 1024;

/** Memory for the bodies of unauthenticated requests. Public operations read their bodies before anything is known of the caller. */
export interface BodyBudget {
  /**
   * Reserves bytes for a request from an address, and returns the function that releases them. Throws `overloaded` if all
   * such requests, or those of the address's network, hold too much.
   */
  readonly reserve: (address: string, bytes: number) => () => void;
}

/** Creates a budget that nothing is reserved of. */
export function createBodyBudget(): BodyBudget {
  const reservedByNetwork = new Map<string, number>();
  let reserved = 0;
  return {
    reserve(address, bytes) {
      const network = networkOf(address);
      const reservedByThis = reservedByNetwork.get(network) ?? 0;
      if (reserved + bytes > MAX_BYTES || reservedByThis + bytes > MAX_BYTES_PER_NETWORK)
        throw tooManyBodies();
      reserved += bytes;
      reservedByNetwork.set(network, reservedByThis + bytes);
      return () => {
        reserved -= bytes;
        const rest = (reservedByNetwork.get(network) ?? 0) - bytes;
        if (rest > 0) reservedByNetwork.set(network, rest);
        else reservedByNetwork.delete(network);
      };
    },
  };
}

function tooManyBodies(): Problem {
  return new Problem('overloaded', 'Too many requests without a token are being received.', {
    headers: { 'retry-after': '1' },
  });
}
