import type { Block } from './markdown.js';

/** The kind of a code block in the documentation and its detail: `<!-- kind: detail -->` before its fence. */
interface ContentMark {
  readonly kind: Kind;
  readonly detail: string;
}

type Kind = keyof typeof KINDS;

/** The kinds of marks, each with the pattern of its detail. */
const KINDS = {
  /** Commands that are executed. `exit 78`: with this exit code. `serves`: the last command keeps serving. */
  run: /^(?:|exit \d+|serves)$/,
  /** A file with this name, for the commands after it. */
  file: /^[\w./-]+$/,
  /** Output of the commands before it, compared `exactly` or as `shown.ts` compares it. */
  shows: /^(?:|exactly)$/,
  /** A complete configuration, which `gatehouse check` validates. */
  check: /^$/,
  /** A block that another test reads from the page. */
  tested: /^test\/[\w./-]+\.ts$/,
  /** Commands that need a service which the tests do not have. */
  needs: /^\w.+$/,
  /** A sample that is neither executed nor compared. */
  sample: /^$/,
} as const;

/** The permitted languages of a kind. Kinds without an entry permit any language. */
const LANGUAGES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  run: ['sh'],
  needs: ['sh'],
  check: ['yaml'],
  shows: ['', 'json'],
  sample: ['', 'json', 'ts'],
};

/** Parses the mark of a block. Throws an Error that describes an invalid mark. */
export function markOf({ mark, language }: Pick<Block, 'mark' | 'language'>): ContentMark {
  if (mark === undefined) throw new Error('the code block has no mark; test/docs/marks.ts lists the kinds');
  const [, kind = '', detail = ''] = /^(\w+)(?:: (.+))?$/.exec(mark) ?? [];
  if (!isKind(kind)) throw new Error(`there is no kind of block "${mark}"`);
  if (!KINDS[kind].test(detail)) throw new Error(`"${detail}" is not a detail of a block "${kind}"`);
  if (LANGUAGES[kind]?.includes(language) === false)
    throw new Error(`a block "${language}" cannot be "${kind}"`);
  return { kind, detail };
}

function isKind(word: string): word is Kind {
  return Object.hasOwn(KINDS, word);
}
