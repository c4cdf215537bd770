/** Maximum repetition count of RE2. It applies to the product of nested counts as well. */
const MAX_RE2_COUNT = 1000;

/** Maximum number of instructions of the automaton of a pattern. */
export const MAX_AUTOMATON_SIZE = 100_000;

/** Maximum length of a pattern, in characters, also after its counts were split. */
const MAX_PATTERN_LENGTH = 64 * 1024;

/** Maximum nesting of groups, which is that of RE2. */
const MAX_NESTING = 1000;

/** Part of a pattern. */
interface PatternPart {
  readonly text: string;
  /** Estimated number of instructions of its automaton. */
  readonly size: number;
  /** Largest product of the nested counts in it. */
  readonly count: number;
}

/** Result of {@link splitRepeats}: the pattern, or the reason why no linear-time matcher can be built. */
type SplitPattern = { readonly source: string } | { readonly refused: string };

/**
 * Rewrites a pattern of ECMA-262 or RE2 so that no product of nested counts is above 1,000, the maximum of RE2:
 * `(a{2}){600}` becomes `(a{2}){500}(a{2}){100}`. Names of groups are removed, because the copies would have the same
 * name. Refuses a pattern whose automaton would be too large. Leaves a malformed pattern for the compiler to report.
 */
export function splitRepeats(source: string): SplitPattern {
  if (source.length > MAX_PATTERN_LENGTH) return tooLong();
  if (!/\{[0-9]/.test(source)) return { source };
  try {
    const { text } = new RepeatSplitter(source).pattern();
    return { source: text };
  } catch (error) {
    if (error instanceof TooLarge) return { refused: error.message };
    throw error;
  }
}

class TooLarge extends Error {}

function tooLong(): { readonly refused: string } {
  return { refused: `is longer than ${MAX_PATTERN_LENGTH} characters` };
}

const EMPTY: PatternPart = { text: '', size: 0, count: 1 };

const GROUP_START = /\((?:\?(?:<?[=!]|:|P?(?<name><[^>]*>)))?/y;
const ATOM = /\\[pPxu]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/uy;
const QUANTIFIER = /(?:[?*+]|\{(?<min>[0-9]{1,9})(?<comma>,(?<max>[0-9]{0,9}))?\})\??/y;

class RepeatSplitter {
  readonly #source: string;
  #at = 0;
  #nesting = 0;

  constructor(source: string) {
    this.#source = source;
  }

  pattern(): PatternPart {
    let pattern = this.#sequence();
    // A ")" that closes nothing stays, so that the compiler reports it.
    while (this.#at < this.#source.length) {
      this.#at += 1;
      pattern = joined(pattern, joined({ ...EMPTY, text: ')' }, this.#sequence()));
    }
    return pattern;
  }

  /** Reads up to the end of the enclosing group. Alternatives need no separate treatment. */
  #sequence(): PatternPart {
    const pieces: PatternPart[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') pieces.push(this.#piece());
    return concatenated(pieces);
  }

  #piece(): PatternPart {
    const atom = this.#group() ?? { text: this.#match(ATOM)?.[0] ?? '', size: 1, count: 1 };
    const quantifier = this.#match(QUANTIFIER);
    if (!quantifier) return atom;
    const { min, comma, max } = quantifier.groups ?? {};
    if (min === undefined) return { ...atom, text: atom.text + quantifier[0], size: atom.size + 1 };
    const most = comma === undefined ? Number(min) : max === '' ? Infinity : Number(max);
    return repeated(atom, { min: Number(min), max: most, isLazy: quantifier[0].endsWith('?') });
  }

  #group(): PatternPart | undefined {
    const start = this.#match(GROUP_START);
    if (!start) return undefined;
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING)
      throw new TooLarge(`has more than ${MAX_NESTING} groups inside each other`);
    const body = this.#sequence();
    this.#nesting -= 1;
    const end = this.#source[this.#at] === ')' ? ')' : '';
    this.#at += end.length;
    const open = start.groups?.['name'] === undefined ? start[0] : '(?:';
    return { ...body, text: open + body.text + end };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (!found) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

interface Repetition {
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
}

/** Writes a repetition, as several repetitions if its count is too large. */
function repeated(atom: PatternPart, { min, max, isLazy }: Repetition): PatternPart {
  const isOpen = max === Infinity;
  // An optional repetition has one more instruction.
  const size = isOpen ? atom.size * Math.max(min, 1) + 1 : atom.size * max + (max - min);
  if (size > MAX_AUTOMATON_SIZE)
    throw new TooLarge(`needs an automaton of more than ${MAX_AUTOMATON_SIZE} states`);
  const lazy = isLazy ? '?' : '';
  const largest = Math.max(1, Math.floor(MAX_RE2_COUNT / atom.count));
  const most = isOpen ? min : max;
  // Counts in the wrong order stay, so that the compiler reports them.
  if (most <= largest || max < min) {
    const counts = min === max ? `${min}` : `${min},${isOpen ? '' : max}`;
    return { text: `${atom.text}{${counts}}${lazy}`, size, count: atom.count * Math.max(most, 1) };
  }
  const required = chunks(min, largest).map((count) => `${atom.text}{${count}}`);
  const optional = isOpen
    ? [`${atom.text}*${lazy}`]
    : chunks(max - min, largest).map((count) => `${atom.text}{0,${count}}${lazy}`);
  if (atom.text.length * (required.length + optional.length) > MAX_PATTERN_LENGTH)
    throw new TooLarge(tooLong().refused);
  return { text: `(?:${required.join('')}${optional.join('')})`, size, count: atom.count * largest };
}

/** Divides a count into parts of at most `largest`. */
function chunks(count: number, largest: number): readonly number[] {
  const rest = count % largest;
  const full = Array.from({ length: Math.floor(count / largest) }, () => largest);
  return rest > 0 ? [...full, rest] : full;
}

function concatenated(pieces: readonly PatternPart[]): PatternPart {
  let [size, count, length] = [0, 1, 0];
  for (const piece of pieces) {
    size += piece.size;
    count = Math.max(count, piece.count);
    length += piece.text.length;
  }
  if (size > MAX_AUTOMATON_SIZE)
    throw new TooLarge(`needs an automaton of more than ${MAX_AUTOMATON_SIZE} states`);
  if (length > MAX_PATTERN_LENGTH) throw new TooLarge(tooLong().refused);
  return { text: pieces.map(({ text }) => text).join(''), size, count };
}

function joined(left: PatternPart, right: PatternPart): PatternPart {
  return concatenated([left, right]);
}
