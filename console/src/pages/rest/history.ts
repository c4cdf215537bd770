import { maskedDraft } from './masked.js';
import { type Draft, EMPTY_DRAFT } from './rest-call.js';

/** A call that was made before, without its secrets. */
export interface PastCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly draft: Draft;
  /** Status of the target, or code of the problem. */
  readonly outcome: string;
  readonly ms: number;
}

/** Where texts are kept; the session storage of a browser is one. */
export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Calls that are remembered. */
const MOST = 30;

/** The calls of one person in this window, newest first; what cannot be read is none. */
export function pastCalls(store: TextStore, user: string): readonly PastCall[] {
  try {
    const found: unknown = JSON.parse(store.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(found) ? found.filter(isPastCall) : [];
  } catch {
    return [];
  }
}

/** Remembers a call, without its secrets, and hands back all of them. */
export function rememberCall(store: TextStore, user: string, call: PastCall): readonly PastCall[] {
  const kept = { ...call, draft: maskedDraft(call.draft) };
  const all = [kept, ...pastCalls(store, user)].slice(0, MOST);
  store.setItem(keyOf(user), JSON.stringify(all));
  return all;
}

/** Forgets the calls of one person. */
export function forgetCalls(store: TextStore, user: string): void {
  store.removeItem(keyOf(user));
}

function keyOf(user: string): string {
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
