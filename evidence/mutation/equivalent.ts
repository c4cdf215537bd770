/** A mutant with the same meaning as the original: no input shows a difference that a test could detect. */
export interface EquivalentMutant {
  /** Source file, without `.ts`. */
  readonly file: string;
  /** Original code, in one line. */
  readonly original: string;
  readonly replacement: string;
  readonly because: string;
}

const OPENED_ANEW = 'the file is opened anew, and is the one that it was';
const NO_TEXT = 'no text is smaller than undefined, or as great';
const NO_NUMBER = 'what has no number is no anchor';
const TURNS = 'others get their turn more often, or less';

/** Mutants that were reviewed by hand. */
export const EQUIVALENT: readonly EquivalentMutant[] = [
  {
    file: 'src/audit/chain-file',
    original: 'there?.ino !== own.ino || there.dev !== own.dev',
    replacement: 'true',
    because: OPENED_ANEW,
  },
  {
    file: 'src/audit/chain-file',
    original: 'there.dev !== own.dev',
    replacement: 'there.dev === own.dev',
    because: OPENED_ANEW,
  },
  {
    file: 'src/audit/chain-file',
    original: '!own.isFile() || own.size === this.#size',
    replacement: 'false',
    because: OPENED_ANEW,
  },
  {
    file: 'src/audit/chain-file',
    original: '!own.isFile() || own.size === this.#size',
    replacement: '!own.isFile() && own.size === this.#size',
    because: OPENED_ANEW,
  },
  {
    file: 'src/audit/chain-file',
    original: 'own.size === this.#size',
    replacement: 'false',
    because: OPENED_ANEW,
  },
  {
    file: 'src/audit/chain-file',
    original: 'this.#size += lines.length',
    replacement: 'this.#size -= lines.length',
    because: OPENED_ANEW,
  },
  { file: 'src/audit/open-audit-trail', original: 'count += 1', replacement: 'count -= 1', because: TURNS },
  {
    file: 'src/audit/open-audit-trail',
    original: 'count % TURN === 0',
    replacement: 'true',
    because: TURNS,
  },
  {
    file: 'src/audit/verify',
    original: 'at < size',
    replacement: 'at <= size',
    because: 'one more block is read, which is empty',
  },
  {
    file: 'src/audit/read-backward',
    original: "error instanceof Error && 'code' in error",
    replacement: 'true',
    because: 'what the file system throws is an Error with a code',
  },
  { file: 'src/audit/verify', original: '[]', replacement: '["Stryker was here"]', because: NO_NUMBER },
  { file: 'src/core/audit-query', original: 'since !== undefined', replacement: 'true', because: NO_TEXT },
  { file: 'src/core/audit-query', original: 'until !== undefined', replacement: 'true', because: NO_TEXT },
  {
    file: 'src/config/check-written',
    original: '/^(sqlite:)?(.*)$/s',
    replacement: '/^(sqlite:)?(.*)/s',
    because: 'all of the text is taken either way',
  },
  {
    file: 'src/upstream/egress-uri',
    original: '/^\\[|\\]$/g',
    replacement: '/\\[|\\]$/g',
    because: 'a host has an opening bracket at its beginning or none',
  },
  {
    file: 'src/upstream/target',
    original: "path.split('?', 1).join('').split('/').slice(1)",
    replacement: "path.split('?', 1).join('').split('/')",
    because: 'what stands before the first slash is empty, and has no fault',
  },
  {
    file: 'src/upstream/target',
    original: '{ return undefined; }',
    replacement: '{}',
    because: 'a function that ends without a value gives undefined as well',
  },
  {
    file: 'src/upstream/target',
    original: 'at < 0',
    replacement: 'at <= 0',
    because: 'a path that has passed the grammar begins with a slash',
  },
  {
    file: 'src/upstream/target',
    original: "'is changed by URL parsers'",
    replacement: '""',
    because: 'the grammar leaves nothing to the URL parser: the line is there for a mistake in the grammar',
  },
];
