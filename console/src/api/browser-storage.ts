/**
 * Runs an operation on the local storage of the browser; returns undefined if it is full, unavailable or contains invalid
 * data.
 */
export function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(window.localStorage);
  } catch {
    return undefined;
  }
}

/** Removes what this browser stored for other users: entries with a key below `prefix`, which begins with the user. */
export function removeOfOthers(prefix: string, user: string): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(prefix) && !key.startsWith(`${prefix}${user}.`)) storage.removeItem(key);
  });
}
