import { listenToEvents } from './event-stream.js';

/** Listeners for the server's events: topics that changed, and the current traffic. */
interface LiveListeners {
  readonly onChange: (topics: readonly string[]) => void;
  readonly onTraffic?: (traffic: unknown) => void;
  /** False while no events arrive, although the page is visible. */
  readonly onState: (isLive: boolean) => void;
  /** Called when the page is visible again: changes may have been missed. */
  readonly onVisible: () => void;
}

/** Listens to the server's events until the returned function is called. */
export function listenToServer({ onChange, onTraffic, onState, onVisible }: LiveListeners): () => void {
  return listenToEvents('/console/events', {
    events: {
      change: (data) => onChange((data as { readonly topics: readonly string[] }).topics),
      traffic: (data) => onTraffic?.(data),
    },
    onState,
    onVisible,
  });
}
