/**
 * Reports that a caller has left, and why. Every AbortSignal satisfies this interface. Calls receive only
 * these members, because creating and observing an AbortSignal costs about half of the total work for a call.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  /** The Problem `caller_gone`; only meaningful after the signal has fired. */
  readonly reason: Error;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Returns an AbortSignal that follows the caller's signal, for functions that require an AbortSignal. */
export function abortSignalOf(caller: CancelSignal): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    controller.abort(caller.reason);
  };
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  return controller.signal;
}
