import { useSyncExternalStore } from 'react';

// Whether the server answers: the requests of the page report it, and the page shows it.

let isLost = false;
const listeners = new Set<() => void>();

function setLost(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const notify of listeners) notify();
}

/** Reports that the server answered a request, with whatever status. */
export function reportAnswer(): void {
  setLost(false);
}

export function reportNoAnswer(): void {
  setLost(true);
}

/** Returns true while the last request got no answer. */
export function isConnectionLost(): boolean {
  return isLost;
}

/** Calls the listener when the connection is lost or restored. Returns the function that removes the listener. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns true while the last request got no answer. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(onConnectionChange, isConnectionLost);
}
