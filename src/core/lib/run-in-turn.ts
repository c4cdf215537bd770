import type { Call } from '../operation.js';

/**
 * Does a piece of work for a caller when all that came before has ended, however it ended; nothing of it when the caller
 * has left by then.
 */
export type RunInTurn = <T>(caller: Pick<Call, 'signal'>, work: () => Promise<T>) => Promise<T>;
