/**
 * Receives the outcome of a call, or of one of its steps. The sender calls one of the functions, once. The layers of a call
 * pass settlements in place of promises, because each promise with its functions costs a call as much as a layer does.
 */
export interface Settlement<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** Returns the outcome of work that takes a settlement. An error that `start` throws is the outcome too. */
export function settled<T>(start: (settlement: Settlement<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    start({ resolve, reject });
  });
}

/** Settles with the outcome of a promise. */
export function settleWith<T>(work: Promise<T>, settlement: Settlement<T>): void {
  work.then(
    (result) => {
      settlement.resolve(result);
    },
    (error: unknown) => {
      settlement.reject(error);
    },
  );
}
