/**
 * Tells that a caller has left, and why. Every AbortSignal is one; but to make one of those and to listen to it costs as much
 * as the half of all that is done with a call, so that calls are given what has these members alone.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  /** The Problem `caller_gone`; for those who have heard that it fired. */
  readonly reason: Error;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The same for what takes an AbortSignal alone. */
export function abortSignalOf(caller: CancelSignal): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    controller.abort(caller.reason);
  };
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  return controller.signal;
}
