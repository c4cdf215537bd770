/** What workers are told of, from the moment that it happens to the moment that all of them know. */
export interface ChangePropagation {
  /** Notes that the workers are being told something. */
  readonly follow: (telling: Promise<void>) => void;
  /** Resolves when they know all that has happened so far. */
  readonly whenPropagated: () => Promise<void>;
  /** Says that a record of the audit trail was lost. */
  readonly doubt: () => void;
  /** Has a listener told of it; the result calls it off. */
  readonly onDoubt: (listener: () => void) => () => void;
}

/** Makes a desk for news at which nothing is under way. */
export function createChangePropagation(): ChangePropagation {
  const telling = new Set<Promise<void>>();
  const listeners = new Set<() => void>();
  return {
    follow(one) {
      telling.add(one);
      void one.finally(() => telling.delete(one));
    },
    async whenPropagated() {
      await Promise.all(telling);
    },
    doubt() {
      for (const tell of listeners) tell();
    },
    onDoubt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
