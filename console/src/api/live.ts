import { isSessionEnded, renewSession } from './session.js';

/** Listeners for the server's events: topics that changed, and the current traffic. */
export interface LiveListeners {
  readonly onChange: (topics: readonly string[]) => void;
  readonly onTraffic?: (traffic: unknown) => void;
  /** False while no events arrive. */
  readonly onState: (isLive: boolean) => void;
}

const EVENTS = '/console/events';
/** Time until the next attempt to connect after a refusal, in milliseconds: with a renewed token, and without. */
const RENEWED_MS = 500;
const RETRY_MS = 5_000;

/** Listens to the server's events (WHATWG server-sent events) until the returned function is called. */
export function listenToServer({ onChange, onTraffic, onState }: LiveListeners): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  const dataOf = (event: Event): unknown => JSON.parse((event as MessageEvent<string>).data);
  const open = (): void => {
    const opened = new EventSource(EVENTS);
    source = opened;
    opened.addEventListener('open', () => {
      onState(true);
    });
    opened.addEventListener('error', () => {
      onState(false);
      // The browser itself connects again, unless the server refused the connection: the token has expired.
      if (opened.readyState === EventSource.CLOSED) void openAgain();
    });
    opened.addEventListener('change', (event) => {
      onChange((dataOf(event) as { readonly topics: readonly string[] }).topics);
    });
    opened.addEventListener('traffic', (event) => {
      onTraffic?.(dataOf(event));
    });
  };
  const openAgain = async (): Promise<void> => {
    const isRenewed = !isSessionEnded() && (await renewSession()) === 'renewed';
    if (source) timer = window.setTimeout(open, isRenewed ? RENEWED_MS : RETRY_MS);
  };
  open();
  return () => {
    window.clearTimeout(timer);
    source?.close();
    source = undefined;
  };
}
