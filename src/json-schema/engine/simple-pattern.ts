import type { Pattern } from './model.js';

/** Maximum length of a simple pattern, in characters. */
const MAX_SOURCE_LENGTH = 100;

// A part: a class of ASCII characters without negation, an escape or a character; then how often it repeats.
const CLASS = String.raw`\[(?:[\x20-\x5a_-\x7e]|\\[\^$\\.*+?()[\]{}|/dw-])+\]`;
const SINGLE = String.raw`\\[\^$\\.*+?()[\]{}|/dw]|[ !"#%&',\-/0-9:;<=>@A-Z_\x60a-z~]`;
const REPEAT = String.raw`[*+?]|\{\d{1,3}(?:,\d{0,3})?\}`;

const SIMPLE = new RegExp(`^\\^(?:(?:${CLASS}|${SINGLE})(?:${REPEAT})?)*\\$$`);
const PART = new RegExp(`(?<characters>${CLASS}|${SINGLE})(?<repeat>${REPEAT})?`, 'g');

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Characters of one part of a pattern, and how often they may occur. */
interface Part {
  readonly accepted: ReadonlySet<string>;
  readonly isOptional: boolean;
  /** True if the number of characters may differ. */
  readonly isVariable: boolean;
}

/**
 * Compiles a pattern such as `^[a-z]+$` or `^\d+\.\d+$` with the engine of JavaScript, which is far faster than RE2 but
 * takes exponential time for some patterns. Returns undefined for a pattern that could be one of these, or is invalid.
 *
 * A pattern is simple if it matches a whole text and each part of variable length is followed by other characters. Then
 * no text matches in two ways: if the engine gives characters back, the next parts refuse the first of them at once.
 */
export function compileSimplePattern(source: string): Pattern | undefined {
  if (source.length > MAX_SOURCE_LENGTH || !SIMPLE.test(source)) return undefined;
  try {
    const parts = Array.from(source.slice(1, -1).matchAll(PART), ({ groups = {} }) => partOf(groups));
    if (!isDeterministic(parts)) return undefined;
    const regex = new RegExp(source, 'u');
    return { test: (text) => regex.test(text), size: 1 + parts.length };
  } catch (error) {
    // Not a pattern with the flag `u`, such as `^[z-a]$`.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function partOf({ characters = '', repeat = '' }: Readonly<Record<string, string | undefined>>): Part {
  const single = new RegExp(`^${characters}$`, 'u');
  return {
    accepted: new Set(ASCII.filter((character) => single.test(character))),
    isOptional: /^(?:[*?]|\{0+[,}])/.test(repeat),
    isVariable: repeat !== '' && !/^\{\d+\}$/.test(repeat),
  };
}

/** Returns true if no part of variable length accepts a character that one of the next parts accepts. */
function isDeterministic(parts: readonly Part[]): boolean {
  return parts.every(({ accepted, isVariable }, at) => {
    if (!isVariable) return true;
    const next = parts.slice(at + 1);
    const end = next.findIndex(({ isOptional }) => !isOptional);
    const followers = end < 0 ? next : next.slice(0, end + 1);
    return followers.every((follower) => ![...follower.accepted].some((one) => accepted.has(one)));
  });
}
