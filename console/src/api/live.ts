/** Listeners for the server's events: topics that changed, and the current traffic. */
export interface LiveListeners {
  readonly onChange: (topics: readonly string[]) => void;
  readonly onTraffic?: (traffic: unknown) => void;
  /** False while no events arrive. */
  readonly onState: (isLive: boolean) => void;
}

const EVENTS = '/console/events';

/** Listens to the server's events (WHATWG server-sent events) until the returned function is called. */
export function listenToServer({ onChange, onTraffic, onState }: LiveListeners): () => void {
  const source = new EventSource(EVENTS);
  const dataOf = (event: Event): unknown => JSON.parse((event as MessageEvent<string>).data);
  source.addEventListener('open', () => {
    onState(true);
  });
  source.addEventListener('error', () => {
    onState(false);
  });
  source.addEventListener('change', (event) => {
    onChange((dataOf(event) as { readonly topics: readonly string[] }).topics);
  });
  source.addEventListener('traffic', (event) => {
    onTraffic?.(dataOf(event));
  });
  return () => {
    source.close();
  };
}
