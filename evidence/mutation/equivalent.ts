/** A mutant with the same meaning as the original: no input shows a difference that a test could detect. */
interface EquivalentMutant {
  /** Source file, without `.ts`. */
  readonly file: string;
  /** Original code, in one line. */
  readonly original: string;
  readonly replacement: string;
  readonly because: string;
}

const REOPENED = 'the file is opened again, and it is the same file';
const NO_TEXT = 'no text compares as less than or equal to undefined';
const NO_NUMBER = 'an anchor without a number is ignored';
const SAME_BY_COMPLETE_CHECK = 'the complete check, which is made instead, has the same result';
const GUARDS_GRAMMAR =
  'the grammar leaves nothing for the URL parser to change; the line guards against a mistake in the grammar';
const YIELDS = 'the loop yields to other work more or less often';

const PLAIN_TARGET = '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-]*)+\\/?(?:\\?[\\w.:=,~&/-]*)?$/';

/** Mutants that were reviewed by hand. */
export const EQUIVALENT: readonly EquivalentMutant[] = [
  {
    file: 'src/features/audit/trail/chain-file',
    original: 'atPath?.ino !== opened.ino || atPath.dev !== opened.dev',
    replacement: 'true',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/chain-file',
    original: 'atPath.dev !== opened.dev',
    replacement: 'atPath.dev === opened.dev',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/chain-file',
    original: '!opened.isFile() || opened.size === this.#size',
    replacement: 'false',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/chain-file',
    original: '!opened.isFile() || opened.size === this.#size',
    replacement: '!opened.isFile() && opened.size === this.#size',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/chain-file',
    original: 'opened.size === this.#size',
    replacement: 'false',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/chain-file',
    original: 'this.#size += lines.length',
    replacement: 'this.#size -= lines.length',
    because: REOPENED,
  },
  {
    file: 'src/features/audit/trail/find-in-trail',
    original: 'count += 1',
    replacement: 'count -= 1',
    because: YIELDS,
  },
  {
    file: 'src/features/audit/trail/find-in-trail',
    original: 'count % LINES_PER_TURN === 0',
    replacement: 'true',
    because: YIELDS,
  },
  {
    file: 'src/features/audit/trail/verify',
    original: 'at < size',
    replacement: 'at <= size',
    because: 'one more block is read, which is empty',
  },
  {
    file: 'src/features/audit/trail/read-backward',
    original: "error instanceof Error && 'code' in error",
    replacement: 'true',
    because: 'every error of the file system has a code',
  },
  {
    file: 'src/features/audit/trail/verify',
    original: '[]',
    replacement: '["Stryker was here"]',
    because: NO_NUMBER,
  },
  {
    file: 'src/features/audit/audit-trail',
    original: 'since !== undefined',
    replacement: 'true',
    because: NO_TEXT,
  },
  {
    file: 'src/features/audit/audit-trail',
    original: 'until !== undefined',
    replacement: 'true',
    because: NO_TEXT,
  },
  {
    file: 'src/config/check-written',
    original: '/^(sqlite:)?(.*)$/s',
    replacement: '/^(sqlite:)?(.*)/s',
    because: 'both match the whole text',
  },
  {
    file: 'src/config/adapter-schema',
    original: '(key) => !KEYS_OUTSIDE_SETTINGS.includes(key)',
    replacement: '() => undefined',
    because: 'the schema of adapters requires only keys outside of the settings',
  },
  {
    file: 'src/config/file-watch',
    original: '[]',
    replacement: '["Stryker was here"]',
    because: 'one more path is watched, of a file that does not exist and never changes',
  },
  {
    file: 'src/config/variables',
    original: "'core'",
    replacement: '""',
    because: 'the library takes an empty name of a schema as that of the core schema',
  },
  {
    file: 'src/config/yaml',
    original: '(text.match(INDICATORS)?.length ?? 0) < DEPTH_LIMIT',
    replacement: 'false',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/config/yaml',
    original: '/\\s*$/.exec(text.slice(from, to))?.[0]',
    replacement: '/\\s*$/.exec(text.slice(from, to))[0]',
    because: 'the pattern matches every text, so that there is always a match',
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
    because: 'the text before the first slash is empty, which is valid',
  },
  {
    file: 'src/upstream/target',
    original: '{ return undefined; }',
    replacement: '{}',
    because: 'a function without a return statement returns undefined as well',
  },
  {
    file: 'src/upstream/target',
    original: PLAIN_TARGET,
    replacement: '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-]*)\\/?(?:\\?[\\w.:=,~&/-]*)?$/',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: PLAIN_TARGET,
    replacement: '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-])+\\/?(?:\\?[\\w.:=,~&/-]*)?$/',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: PLAIN_TARGET,
    replacement: '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-]*)+\\/(?:\\?[\\w.:=,~&/-]*)?$/',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: PLAIN_TARGET,
    replacement: '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-]*)+\\/?(?:\\?[\\w.:=,~&/-])?$/',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: PLAIN_TARGET,
    replacement: '/^(?:\\/[A-Za-z0-9_-][\\w.:=,~-]*)+\\/?(?:\\?[\\w.:=,~&/-]*)$/',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: "path.startsWith('/') && plain.length <= MAX_PATH_LENGTH && PLAIN_TARGET.test(plain)",
    replacement: 'false',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: 'plain.length <= MAX_PATH_LENGTH',
    replacement: 'plain.length < MAX_PATH_LENGTH',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: 'base.path + path',
    replacement: 'base.path - path',
    because: SAME_BY_COMPLETE_CHECK,
  },
  {
    file: 'src/upstream/target',
    original: "'is changed by URL parsers'",
    replacement: '""',
    because: GUARDS_GRAMMAR,
  },
  {
    file: 'src/upstream/target',
    original: '!URL.canParse(url) || new URL(url).href !== url',
    replacement: 'false',
    because: GUARDS_GRAMMAR,
  },
  {
    file: 'src/upstream/target',
    original: '!URL.canParse(url) || new URL(url).href !== url',
    replacement: '!URL.canParse(url) && new URL(url).href !== url',
    because: GUARDS_GRAMMAR,
  },
  {
    file: 'src/upstream/target',
    original: 'new URL(url).href !== url',
    replacement: 'false',
    because: GUARDS_GRAMMAR,
  },
  {
    file: 'src/upstream/target',
    original: "''",
    replacement: '"Stryker was here!"',
    because: 'a single text is joined, without any separator',
  },
  {
    file: 'src/upstream/target',
    original: 'compatible === text',
    replacement: 'false',
    because: 'the next rounds find the same text without a fault again',
  },
];
