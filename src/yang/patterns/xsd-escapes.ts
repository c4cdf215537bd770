import { category, type CodePoints, complement, rangesOf, union } from './code-points.js';
import { blockNamed } from './unicode-blocks.js';

/** What an escape such as `\d` stands for: written inside a class, and as a set where classes are subtracted. */
export interface Escape {
  readonly inClass: string;
  set(): CodePoints;
}

const SPACES: CodePoints = [
  [9, 10],
  [13, 13],
  [32, 32],
];

/** NameStartChar and NameChar of XML 1.0, without the marks that only NameChar has. */
const NAME_START: CodePoints = [
  [0x3a, 0x3a],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, 0xeffff],
];
const NAME: CodePoints = union(NAME_START, [
  [0x2d, 0x2e],
  [0x30, 0x39],
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
]);

/** Multi-character escapes of XSD 1.0 (appendix F.1.1); `\w` is everything but punctuation, separators and others. */
const ESCAPES: Readonly<Record<string, Escape>> = {
  d: ofCategories('Nd'),
  D: { inClass: '\\P{Nd}', set: () => complement(category('Nd')) },
  w: ofCategories('L', 'M', 'N', 'S'),
  W: ofCategories('P', 'Z', 'C'),
  s: ofSet(SPACES),
  S: ofSet(complement(SPACES)),
  i: ofSet(NAME_START),
  I: ofSet(complement(NAME_START)),
  c: ofSet(NAME),
  C: ofSet(complement(NAME)),
};

/** The escape of one letter, such as `d`; undefined for a letter that has no meaning. */
export function escapeOf(letter: string): Escape | undefined {
  return Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
}

const CATEGORY = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

/** `\p{Name}`, or `\P{Name}` when negated; undefined for a name that XSD does not know. */
export function propertyOf(name: string, negated: boolean): Escape | undefined {
  if (CATEGORY.test(name))
    return {
      inClass: `\\${negated ? 'P' : 'p'}{${name}}`,
      set: () => (negated ? complement(category(name)) : category(name)),
    };
  const block = name.startsWith('Is') ? blockNamed(name.slice(2)) : undefined;
  return block && ofSet(negated ? complement(block) : block);
}

/** An escape as an atom of its own. */
export function atomOf({ inClass }: Escape): string {
  return /^\\[pP]\{\w+\}$/.test(inClass) ? inClass : `[${inClass}]`;
}

function ofCategories(...names: readonly string[]): Escape {
  return {
    inClass: names.map((name) => `\\p{${name}}`).join(''),
    set: () => union(...names.map(category)),
  };
}

function ofSet(set: CodePoints): Escape {
  return { inClass: rangesOf(set), set: () => set };
}
