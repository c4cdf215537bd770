import { type Adapter, headerOf, type UpstreamErrorInfo, type UpstreamReply } from '../../core/adapter.js';
import { mediaTypeOf } from '../../core/header.js';
import type { RequestError } from '../../core/problem.js';
import { oneLine } from '../../lib/one-line.js';

/** Maximum size of a reply whose format is recognized, in bytes. */
const MAX_REPLY_BYTES = 65_536;
/** Maximum length of the words of a reply, in characters. */
const MAX_TEXT_LENGTH = 500;
/** Maximum number of errors in a list. */
const MAX_ERRORS = 5;
const MAX_DEPTH = 4;

/** Members with the sentence of an error, most specific first. */
const SENTENCES = ['message', 'errorMessage', 'error-message', 'msg', 'title', 'error'] as const;
/** Members that may say more than the sentence. */
const DETAILS = ['detail', 'details', 'error_description', 'description'] as const;
const LISTS = ['errors', 'ietf-restconf:errors'] as const;

/**
 * Returns the error in an error reply, as the plugin explains it. If the plugin does not know the format, the
 * words come from the members of JSON that most REST interfaces use, or from a plain text. Undefined if the reply has no words.
 */
export function explainReply(adapter: Adapter, reply: UpstreamReply): UpstreamErrorInfo | undefined {
  const explained = explanationOf(adapter, reply);
  if (explained) return explained;
  const words = wordsOf(reply);
  return words === '' ? undefined : { detail: `the orchestrator answered ${reply.status}: ${words}` };
}

/**
 * Returns the plugin's explanation. A plugin that throws, or that returns something else than an explanation, must not
 * hide the reply: the action was carried out.
 */
function explanationOf(adapter: Adapter, reply: UpstreamReply): UpstreamErrorInfo | undefined {
  try {
    const explanation: unknown = adapter.explain?.(reply);
    if (explanation instanceof Promise) explanation.catch(() => undefined);
    return isExplanation(explanation) ? explanation : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true for the members that an explanation needs, because a plugin may be written without types. */
function isExplanation(value: unknown): value is UpstreamErrorInfo {
  if (typeof value !== 'object' || value === null) return false;
  const { detail, errors = [] } = value as { readonly detail?: unknown; readonly errors?: unknown };
  return typeof detail === 'string' && Array.isArray(errors) && errors.every(isRequestError);
}

function isRequestError(value: unknown): value is RequestError {
  if (typeof value !== 'object' || value === null) return false;
  const { pointer, message } = value as { readonly [Name in keyof RequestError]?: unknown };
  return typeof pointer === 'string' && typeof message === 'string';
}

/** Returns an explanation as one text: its sentence, then each error that says more, with its place. */
export function reasonOf({ detail, errors = [] }: UpstreamErrorInfo): string {
  const places = errors.map(({ pointer, message }) => (pointer === '' ? message : `${message} (${pointer})`));
  const others = places.filter((text) => text !== detail);
  return others.some((text) => text.includes(detail)) ? others.join('; ') : [detail, ...others].join('; ');
}

function wordsOf({ headers, body }: UpstreamReply): string {
  if (body.length === 0 || body.length > MAX_REPLY_BYTES) return '';
  const text = body.toString().trim();
  if (text.startsWith('{') || text.startsWith('[')) return wordsOfJson(text);
  const type = mediaTypeOf(headerOf(headers, 'content-type'));
  return type === 'text/plain' && !text.startsWith('<') ? oneLine(text, MAX_TEXT_LENGTH) : '';
}

function wordsOfJson(text: string): string {
  try {
    return wordsIn(JSON.parse(text), 0);
  } catch {
    return '';
  }
}

/** Returns the words in a value of an error document; an empty text without words. */
function wordsIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return oneLine(value, MAX_TEXT_LENGTH);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(value))
    return joined(
      value.slice(0, MAX_ERRORS).map((item) => wordsIn(item, depth + 1)),
      '; ',
    );
  const members = value as Readonly<Record<string, unknown>>;
  const first = (names: readonly string[]): string =>
    names.map((name) => wordsIn(members[name], depth + 1)).find((words) => words !== '') ?? '';
  return joined([first(SENTENCES), first(DETAILS), first(LISTS)], ': ');
}

/** Joins the texts that are not empty and that no earlier text contains. */
function joined(texts: readonly string[], separator: string): string {
  const kept = texts.filter(
    (text, at) => text !== '' && !texts.slice(0, at).some((other) => other.includes(text)),
  );
  return oneLine(kept.join(separator), MAX_TEXT_LENGTH);
}
