import { pathOf } from './api-request.js';
import { ApiProblem } from './problem.js';

// The session of this browser: its renewal, its end, and the sign-in in another window. All tabs share it.

/** Result of a renewal: see `POST /console/session/renew`. */
type Renewal = 'renewed' | 'ended' | 'unavailable';

/** Page at which a sign-in in a window of its own ends. */
export const SIGNED_IN_PATH = '/ui/signed-in';

const CHANNEL = 'gatehouse.session';
const ACTIVE_KEY = 'gatehouse.active';
/** Minimum interval between two records of the person's input, in milliseconds. */
const ACTIVITY_INTERVAL_MS = 5_000;

let isEnded = false;
let userId: string | undefined;
let running: Promise<Renewal> | undefined;
let lastActiveAt = Date.now();
const listeners = new Set<() => void>();
const channel = new BroadcastChannel(CHANNEL);

function setEnded(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const notify of listeners) notify();
}

/** Returns true if the person must sign in again. */
export function isSessionEnded(): boolean {
  return isEnded;
}

/** Calls the listener when the session ends, and after a new sign-in. Returns the function that removes the listener. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores who is signed in: after a sign-in of another person, the page loads again. */
export function setCurrentUser(id: string): void {
  userId = id;
}

/** Renews the session once for all running requests. */
export function renewSession(): Promise<Renewal> {
  running ??= sendRenewal().finally(() => {
    running = undefined;
  });
  return running;
}

async function sendRenewal(): Promise<Renewal> {
  try {
    const response = await fetch('/console/session/renew', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'x-gatehouse-csrf': '1' },
      body: JSON.stringify({ idleSeconds: Math.max(0, (Date.now() - latestActivity()) / 1000) }),
    });
    if (!response.ok) return 'unavailable';
    return ((await response.json()) as { readonly state: Renewal }).state;
  } catch {
    return 'unavailable';
  }
}

const SIGN_IN_PATHS = ['/login', '/console/session'];

/** Returns false for the paths of sign-ins, whose 401 does not mean that the session has ended. */
export function needsSession(path: string): boolean {
  return !SIGN_IN_PATHS.includes(path);
}

/**
 * Sends a request. If the token has expired, renews the session and sends the request once more: the server refused
 * the first one unseen. Returns the 401 if the session has ended.
 */
export async function sendInSession(path: string, send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (response.status !== 401 || !needsSession(path)) return response;
  // After the end, only a sign-in helps.
  const renewal = isEnded ? 'ended' : await renewSession();
  if (renewal === 'unavailable') throw notRenewed();
  if (renewal === 'ended') setEnded(true);
  if (renewal !== 'renewed') return response;
  const repeated = await send();
  if (repeated.status === 401) setEnded(true);
  return repeated;
}

function notRenewed(): ApiProblem {
  return new ApiProblem(503, {
    code: 'issuer_unavailable',
    detail: 'Your session could not be renewed: the identity provider or the database did not answer.',
    recommendation: 'Wait a moment, and try again. The server did not carry out the request.',
  });
}

/** Reports to the other tabs that the person has signed in, or has signed out. */
export function announce(event: 'signed-in' | 'signed-out'): void {
  channel.postMessage(event);
}

const signInListeners = new Set<() => void>();

/**
 * Calls the listener when the person has signed in again in another tab or window. Returns the function that removes
 * the listener.
 */
export function onSignIn(listener: () => void): () => void {
  signInListeners.add(listener);
  return () => signInListeners.delete(listener);
}

/** Continues with a session that began in another tab or window. */
async function resume(): Promise<void> {
  if (userId === undefined) return;
  const response = await fetch('/whoami', {
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
  });
  if (!response.ok) return;
  const { id } = (await response.json()) as { readonly id: string };
  // Data and drafts of one person must not be shown to another.
  if (id !== userId) {
    window.location.reload();
    return;
  }
  setEnded(false);
  for (const notify of signInListeners) notify();
}

const tryResume = () => void resume().catch(() => undefined);

channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'signed-out') setEnded(userId !== undefined);
  if (data === 'signed-in') tryResume();
});
// The message of the other window does not arrive in a page that another site frames.
window.addEventListener('focus', () => {
  if (isEnded) tryResume();
});

function latestActivity(): number {
  try {
    // Another tab may be the one in use.
    return Math.max(lastActiveAt, Number(window.localStorage.getItem(ACTIVE_KEY) ?? 0));
  } catch {
    return lastActiveAt;
  }
}

function recordActivity(): void {
  if (Date.now() - lastActiveAt < ACTIVITY_INTERVAL_MS) return;
  lastActiveAt = Date.now();
  try {
    window.localStorage.setItem(ACTIVE_KEY, String(lastActiveAt));
  } catch {
    // Without storage, this tab counts alone.
  }
}

for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(name, recordActivity, { passive: true, capture: true });

/** Returns the path of the sign-in as another person, which returns to the current page. */
export function signInAsAnother(): string {
  const { pathname, search } = window.location;
  return pathOf(['ui', 'sign-in'], { return: pathname + search, prompt: 'login' });
}
