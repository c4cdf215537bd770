import type { Call } from '../operation.js';

/**
 * Runs a piece of work for a caller after all earlier work has settled. Skips the work if the caller has left
 * by then.
 */
export type RunInTurn = <T>(caller: Pick<Call, 'signal'>, work: () => Promise<T>) => Promise<T>;
