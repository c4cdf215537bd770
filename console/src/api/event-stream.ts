import { isSessionEnded, renewSession } from './session.js';

interface EventStreamListeners {
  /** Receives the data of each event by the name of the event. */
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  /** False while no events arrive, although the page is visible. */
  readonly onState: (isLive: boolean) => void;
  /** Called when the page is visible again: events may have been missed. */
  readonly onVisible?: () => void;
}

/** Time until the next attempt to connect after a refusal, in milliseconds: with a renewed token, and without. */
const RENEWED_MS = 500;
const RETRY_MS = 5_000;

/**
 * Listens to a stream of events (WHATWG server-sent events) until the returned function is called. A hidden page does
 * not listen: browsers allow six connections to a server over HTTP/1.1 for all pages together.
 */
export function listenToEvents(
  path: string,
  { events, onState, onVisible }: EventStreamListeners,
): () => void {
  let source: EventSource | undefined;
  let isListening = false;
  let timer: number | undefined;
  const open = (): void => {
    const opened = new EventSource(path);
    source = opened;
    opened.addEventListener('open', () => {
      onState(true);
    });
    opened.addEventListener('error', () => {
      onState(false);
      // The browser itself connects again, unless the server refused the connection: the token has expired.
      if (opened.readyState === EventSource.CLOSED) void openAgain();
    });
    for (const [name, onEvent] of Object.entries(events))
      opened.addEventListener(name, (event) => {
        onEvent(JSON.parse((event as MessageEvent<string>).data));
      });
  };
  const openAgain = async (): Promise<void> => {
    const isRenewed = !isSessionEnded() && (await renewSession()) === 'renewed';
    if (isListening && source?.readyState === EventSource.CLOSED)
      timer = window.setTimeout(open, isRenewed ? RENEWED_MS : RETRY_MS);
  };
  const stop = (): void => {
    isListening = false;
    window.clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const start = (): void => {
    stop();
    isListening = true;
    open();
  };
  const onVisibility = (): void => {
    if (document.hidden) stop();
    else {
      start();
      onVisible?.();
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  if (!document.hidden) start();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    stop();
  };
}

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
