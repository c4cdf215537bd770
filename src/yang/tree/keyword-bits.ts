import type { Statement } from '../syntax/statement.js';

/** Substatements that every node is asked for, and that most nodes do not have. */
const KEYWORDS = [
  'status',
  'config',
  'if-feature',
  'type',
  'must',
  'when',
  'default',
  'mandatory',
  'description',
  'reference',
  'units',
  'ordered-by',
  'presence',
  'key',
  'unique',
  'min-elements',
  'max-elements',
];

/** Bit of every statement of an extension. */
const EXTENSION_BIT = 1 << KEYWORDS.length;

/** Bit of all other keywords. */
const OTHER_BIT = 2 << KEYWORDS.length;

const BITS: ReadonlyMap<string, number> = new Map([
  ...KEYWORDS.map((keyword, at) => [keyword, 1 << at] as const),
  // Found at once, because a container has many of them.
  ...['container', 'list', 'leaf', 'leaf-list', 'choice', 'case', 'uses'].map(
    (keyword) => [keyword, OTHER_BIT] as const,
  ),
]);

/** Returns the bits of the keywords of statements. */
export function keywordBits(statements: readonly Statement[]): number {
  let bits = 0;
  for (const { keyword } of statements) bits |= bitOf(keyword);
  return bits;
}

/** Returns false if no statement with the keyword is among those with the bits; true if one may be. */
export function mayHave(bits: number, keyword: string): boolean {
  return (bits & bitOf(keyword)) !== 0;
}

/** Returns true if a statement of an extension is among those with the bits. */
export function hasExtension(bits: number): boolean {
  return (bits & EXTENSION_BIT) !== 0;
}

function bitOf(keyword: string): number {
  return BITS.get(keyword) ?? (keyword.includes(':') ? EXTENSION_BIT : OTHER_BIT);
}
