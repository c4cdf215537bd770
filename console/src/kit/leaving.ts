import { leavesPage } from './leaves-page.js';

/** Continues the navigation that was held back. */
type Leave = () => void;

/** How the router opens a URL. */
type Navigate<Options> = (to: string, options?: Options) => void;

/** What is asked before the page is left, and the URL that the page has. */
interface Guard {
  readonly ask: (leave: Leave) => void;
  url: string;
}

let guard: Guard | undefined;

/**
 * Asks before the page, or its tab, is left: by a link, a key, the command palette, or Back. The browser itself asks
 * before the window is closed or loaded again. Returns the function that ends the guard.
 */
export function guardPage(ask: Guard['ask']): () => void {
  const own: Guard = { ask, url: window.location.href };
  guard = own;
  window.addEventListener('beforeunload', preventUnload);
  return () => {
    if (guard === own) guard = undefined;
    window.removeEventListener('beforeunload', preventUnload);
  };
}

/** Guards pages against Back too. Call it before the router listens: the window calls its listeners in their order. */
export function guardHistory(): void {
  window.addEventListener('popstate', holdHistory);
}

/** Navigates, but first asks if the navigation leaves a guarded page. Wraps every navigation of the router. */
export function navigateGuarded<Options>(navigate: Navigate<Options>, to: string, options?: Options): void {
  if (guard && leavesPage(guard.url, to)) {
    guard.ask(() => leaveUnasked(() => navigate(to, options)));
    return;
  }
  navigate(to, options);
  if (guard) guard.url = window.location.href;
}

/** Ends the guard of the page and leaves it, for example because its input is saved. */
export function leaveUnasked(leave: Leave): void {
  guard = undefined;
  leave();
}

function preventUnload(event: BeforeUnloadEvent): void {
  if (guard) event.preventDefault();
}

/** Puts the guarded page back on top of the history, so that going back once leaves it. */
function holdHistory(event: PopStateEvent): void {
  if (!guard) return;
  if (!leavesPage(guard.url, window.location.href)) {
    guard.url = window.location.href;
    return;
  }
  event.stopImmediatePropagation();
  window.history.pushState(null, '', guard.url);
  guard.ask(() => leaveUnasked(() => window.history.back()));
}
