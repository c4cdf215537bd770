import { MASK, maskedDraft } from './masked.js';
import { type Draft, EMPTY_DRAFT } from './rest-call.js';

/** A previous call, without its secrets. */
export interface PastCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly draft: Draft;
  /** Status of the target, code of the problem, `ok` or `canceled`. */
  readonly outcome: string;
  readonly ms: number;
}

/** Storage for texts, such as the session storage of a browser. */
interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Maximum number of remembered calls. */
const MAX_CALLS = 30;

/** Returns the previous calls of a user in this window, newest first; unreadable entries are ignored. */
export function pastCalls(store: TextStore, user: string): readonly PastCall[] {
  try {
    const found: unknown = JSON.parse(store.getItem(storageKey(user)) ?? '[]');
    return Array.isArray(found) ? found.filter(isPastCall) : [];
  } catch {
    return [];
  }
}

/** Remembers a call without its secrets, and returns all remembered calls. */
export function rememberCall(store: TextStore, user: string, call: PastCall): readonly PastCall[] {
  const stored = { ...call, draft: maskedDraft(call.draft) };
  const all = [stored, ...pastCalls(store, user)].slice(0, MAX_CALLS);
  store.setItem(storageKey(user), JSON.stringify(all));
  return all;
}

/** Returns the URIs of the calls, each once; without URIs from which a secret was removed. */
export function pastUris(past: readonly PastCall[]): readonly string[] {
  return [...new Set(past.map(({ draft }) => draft.uri).filter((uri) => !uri.includes(MASK)))];
}

/** Removes the calls of a user. */
export function forgetCalls(store: TextStore, user: string): void {
  store.removeItem(storageKey(user));
}

function storageKey(user: string): string {
  return `gatehouse.rest-calls.${user}`;
}

function isPastCall(value: unknown): value is PastCall {
  if (typeof value !== 'object' || value === null) return false;
  const { at, draft, outcome, ms } = value as Readonly<Record<string, unknown>>;
  return typeof at === 'number' && typeof outcome === 'string' && typeof ms === 'number' && isDraft(draft);
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(EMPTY_DRAFT).every(
    ([name, preset]) => typeof (value as Readonly<Record<string, unknown>>)[name] === typeof preset,
  );
}
