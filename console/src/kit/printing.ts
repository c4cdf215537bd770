import { useSyncExternalStore } from 'react';

/** Returns true while the page is printed. Content that the screen shows in parts is then rendered completely. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia('print').matches);
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia('print');
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}
