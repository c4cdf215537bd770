import { Semaphore } from './semaphore.js';

/** The event loop is one for the whole process, so all long work shares its turns. */
const oneAtATime = new Semaphore(1);

/**
 * Resolves in a later turn of the event loop. Only one caller continues in each turn, so that the pieces of
 * several long computations never add up to one long stop.
 */
export function nextTurn(): Promise<void> {
  return oneAtATime.run(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
}
