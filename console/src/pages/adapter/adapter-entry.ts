import { prettyJson } from '../../kit/json-text.js';

/** The parts of `GET /adapters/:name` that the page uses. */
export interface AdapterEntry {
  readonly metadata: {
    /** False if the active profile leaves the adapter out. */
    readonly isActive: boolean;
    /** False if the adapter serves with a previous configuration. */
    readonly activeSync: boolean;
  };
  readonly data: unknown;
}

/** A string or a mark of JSON. Everything else, such as a number, is between them. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|[{}[\],:]/g;

/** What a mark of JSON adds to the depth. */
const DEPTHS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/**
 * Returns the adapter's document from the text of an entry, with all digits of its numbers: the value of the
 * member `data` of the outermost object.
 */
export function documentText(entryText: string): string {
  let depth = 0;
  let member = '';
  let begin: number | undefined;
  for (const { 0: token, index } of entryText.matchAll(TOKENS)) {
    if (depth === 1 && token === ':' && member === '"data"') begin = index + 1;
    else if (depth === 1 && begin !== undefined && /^[,}]$/.test(token))
      return entryText.slice(begin, index).trim();
    depth += DEPTHS[token] ?? 0;
    member = token;
  }
  return '';
}

/** Returns whether an edited document differs from that of an entry in more than its white space. */
export function isChanged(document: string, entryText: string): boolean {
  return prettyJson(document) !== prettyJson(documentText(entryText));
}
