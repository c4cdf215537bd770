/** Rejects with the signal's reason, a Problem, when it fires; never settles while it does not. */
export function firing(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
