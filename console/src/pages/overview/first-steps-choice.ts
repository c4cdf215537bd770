import { useSyncExternalStore } from 'react';
import { withStorage } from '../../api/browser-storage.js';

/** What the user of this device chose for the first steps; undefined: nothing yet. */
type FirstStepsChoice = 'shown' | 'hidden' | undefined;

const KEY = 'gatehouse.first-steps';
const listeners = new Set<() => void>();

/** Choice of this page in a browser that refuses to store it. */
let unstored: FirstStepsChoice;

/** Stores the choice on this device. */
export function chooseFirstSteps(choice: 'shown' | 'hidden'): void {
  unstored = choice;
  withStorage((storage) => storage.setItem(KEY, choice));
  for (const listener of listeners) listener();
}

/** Returns the choice of this device, and renders again when it changes. */
export function useFirstStepsChoice(): FirstStepsChoice {
  return useSyncExternalStore(subscribe, readChoice);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readChoice(): FirstStepsChoice {
  try {
    const stored = window.localStorage.getItem(KEY);
    return stored === 'shown' || stored === 'hidden' ? stored : undefined;
  } catch {
    return unstored;
  }
}
