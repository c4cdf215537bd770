/** Set of characters: ascending, disjoint ranges of code points that include both ends. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

const LAST_CODE_POINT = 0x10ffff;

/** Returns the union of sets. Adjacent and overlapping ranges are merged. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  const sorted = sets.flat().sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Returns all characters that are not in the set. */
export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of union(set)) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return gaps;
}

/** Returns the characters of the first set that are not in the second. */
export function difference(set: CodePoints, without: CodePoints): CodePoints {
  return complement(union(complement(set), without));
}

const categoryCache = new Map<string, CodePoints>();

/** Returns the characters of a Unicode general category such as `Lu`. */
function category(name: string): CodePoints {
  let found = categoryCache.get(name);
  if (!found) categoryCache.set(name, (found = scan(new RegExp(`\\p{${name}}+`, 'gu'))));
  return found;
}

let allCharacters = '';

/** Returns all characters that match a pattern, in one pass over Unicode without the surrogates. */
function scan(pattern: RegExp): CodePoints {
  if (allCharacters === '') {
    const chunks: string[] = [];
    for (let from = 0; from <= LAST_CODE_POINT; from += 4096)
      if (from < 0xd000 || from >= 0xe000) chunks.push(charactersFrom(from, from + 4095));
      else if (from === 0xd000) chunks.push(charactersFrom(from, 0xd7ff));
    allCharacters = chunks.join('');
  }
  const ranges: (readonly [number, number])[] = [];
  for (const [sequence] of allCharacters.matchAll(pattern)) {
    const points = Array.from(sequence, (letter) => letter.codePointAt(0) ?? 0);
    const [first = 0] = points;
    ranges.push([first, points.at(-1) ?? first]);
  }
  return union(ranges);
}

function charactersFrom(from: number, to: number): string {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
}

/** Returns a character class for the set, valid in ECMAScript with the flag `u` and in RE2. */
export function classOf(set: CodePoints): string {
  // RE2 does not allow an empty class. This class matches no character.
  return set.length === 0 ? '[^\\x00-\u{10FFFF}]' : `[${rangesOf(set)}]`;
}

/** Returns the set as the content of a character class, without brackets. */
function rangesOf(set: CodePoints): string {
  return set.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`)).join('');
}

const CONTROLS: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' };

/**
 * Returns a character for use inside a class. Most characters are written literally, because ECMAScript and
 * RE2 escape code points differently.
 */
export function inClass(point: number): string {
  const control = CONTROLS[point];
  if (control !== undefined) return control;
  if (point < 0x20 || point === 0x7f) return `\\x${point.toString(16).padStart(2, '0')}`;
  // A text cannot contain a single surrogate, so the nearest other character replaces the surrogate.
  if (point >= 0xd800 && point <= 0xdfff) return point < 0xdc00 ? '\uE000' : '\uD7FF';
  const letter = String.fromCodePoint(point);
  return /[\\\]^[-]/.test(letter) ? `\\${letter}` : letter;
}

/** Blocks of Unicode 3.1 by their names in XSD 1.0 (appendix F.1.1): `name first last`, hexadecimal. */
const BLOCKS = `
BasicLatin 0000 007F, Latin-1Supplement 0080 00FF, LatinExtended-A 0100 017F, LatinExtended-B 0180 024F,
IPAExtensions 0250 02AF, SpacingModifierLetters 02B0 02FF, CombiningDiacriticalMarks 0300 036F, Greek 0370 03FF,
Cyrillic 0400 04FF, Armenian 0530 058F, Hebrew 0590 05FF, Arabic 0600 06FF, Syriac 0700 074F, Thaana 0780 07BF,
Devanagari 0900 097F, Bengali 0980 09FF, Gurmukhi 0A00 0A7F, Gujarati 0A80 0AFF, Oriya 0B00 0B7F, Tamil 0B80 0BFF,
Telugu 0C00 0C7F, Kannada 0C80 0CFF, Malayalam 0D00 0D7F, Sinhala 0D80 0DFF, Thai 0E00 0E7F, Lao 0E80 0EFF,
Tibetan 0F00 0FFF, Myanmar 1000 109F, Georgian 10A0 10FF, HangulJamo 1100 11FF, Ethiopic 1200 137F,
Cherokee 13A0 13FF, UnifiedCanadianAboriginalSyllabics 1400 167F, Ogham 1680 169F, Runic 16A0 16FF,
Khmer 1780 17FF, Mongolian 1800 18AF, LatinExtendedAdditional 1E00 1EFF, GreekExtended 1F00 1FFF,
GeneralPunctuation 2000 206F, SuperscriptsandSubscripts 2070 209F, CurrencySymbols 20A0 20CF,
CombiningMarksforSymbols 20D0 20FF, LetterlikeSymbols 2100 214F, NumberForms 2150 218F, Arrows 2190 21FF,
MathematicalOperators 2200 22FF, MiscellaneousTechnical 2300 23FF, ControlPictures 2400 243F,
OpticalCharacterRecognition 2440 245F, EnclosedAlphanumerics 2460 24FF, BoxDrawing 2500 257F,
BlockElements 2580 259F, GeometricShapes 25A0 25FF, MiscellaneousSymbols 2600 26FF, Dingbats 2700 27BF,
BraillePatterns 2800 28FF, CJKRadicalsSupplement 2E80 2EFF, KangxiRadicals 2F00 2FDF,
IdeographicDescriptionCharacters 2FF0 2FFF, CJKSymbolsandPunctuation 3000 303F, Hiragana 3040 309F,
Katakana 30A0 30FF, Bopomofo 3100 312F, HangulCompatibilityJamo 3130 318F, Kanbun 3190 319F,
BopomofoExtended 31A0 31BF, EnclosedCJKLettersandMonths 3200 32FF, CJKCompatibility 3300 33FF,
CJKUnifiedIdeographsExtensionA 3400 4DB5, CJKUnifiedIdeographs 4E00 9FFF, YiSyllables A000 A48F,
YiRadicals A490 A4CF, HangulSyllables AC00 D7A3, PrivateUse E000 F8FF, CJKCompatibilityIdeographs F900 FAFF,
AlphabeticPresentationForms FB00 FB4F, ArabicPresentationForms-A FB50 FDFF, CombiningHalfMarks FE20 FE2F,
CJKCompatibilityForms FE30 FE4F, SmallFormVariants FE50 FE6F, ArabicPresentationForms-B FE70 FEFE,
HalfwidthandFullwidthForms FF00 FFEF, Specials FFF0 FFFD, OldItalic 10300 1032F, Gothic 10330 1034F,
Deseret 10400 1044F, ByzantineMusicalSymbols 1D000 1D0FF, MusicalSymbols 1D100 1D1FF,
MathematicalAlphanumericSymbols 1D400 1D7FF, CJKUnifiedIdeographsExtensionB 20000 2A6D6,
CJKCompatibilityIdeographsSupplement 2F800 2FA1F, Tags E0000 E007F`;

const BLOCK_RANGES = new Map(
  BLOCKS.split(',').map((line): readonly [string, CodePoints] => {
    const [name = '', first = '0', last = '0'] = line.trim().split(' ');
    return [name, [[parseInt(first, 16), parseInt(last, 16)]]];
  }),
);

/** Returns the characters of a block such as `BasicLatin`; undefined for an unknown name. */
function blockNamed(name: string): CodePoints | undefined {
  return BLOCK_RANGES.get(name);
}

/** Meaning of an escape such as `\d`: the text inside a class, and the set for class subtraction. */
export interface Escape {
  readonly inClass: string;
  set(): CodePoints;
}

const WHITE_SPACE: CodePoints = [
  [9, 10],
  [13, 13],
  [32, 32],
];

/** NameStartChar of XML 1.0 section 2.3. */
const NAME_START_CHARACTERS: CodePoints = [
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
const NAME_CHARACTERS: CodePoints = union(NAME_START_CHARACTERS, [
  [0x2d, 0x2e],
  [0x30, 0x39],
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
]);

/**
 * Multi-character escapes of XSD 1.0 (appendix F.1.1). `\w` matches all characters except those of the
 * categories punctuation, separator and other.
 */
const ESCAPES: Readonly<Record<string, Escape>> = {
  d: ofCategories('Nd'),
  D: { inClass: '\\P{Nd}', set: () => complement(category('Nd')) },
  w: ofCategories('L', 'M', 'N', 'S'),
  W: ofCategories('P', 'Z', 'C'),
  s: ofSet(WHITE_SPACE),
  S: ofSet(complement(WHITE_SPACE)),
  i: ofSet(NAME_START_CHARACTERS),
  I: ofSet(complement(NAME_START_CHARACTERS)),
  c: ofSet(NAME_CHARACTERS),
  C: ofSet(complement(NAME_CHARACTERS)),
};

/** Returns the escape for a letter such as `d`; undefined for a letter that is not an escape. */
export function escapeOf(letter: string): Escape | undefined {
  return Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
}

const CATEGORY_NAME = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

/** Returns the escape `\p{Name}`, or `\P{Name}` if negated; undefined for an unknown name. */
export function propertyOf(name: string, negated: boolean): Escape | undefined {
  if (CATEGORY_NAME.test(name))
    return {
      inClass: `\\${negated ? 'P' : 'p'}{${name}}`,
      set: () => (negated ? complement(category(name)) : category(name)),
    };
  const block = name.startsWith('Is') ? blockNamed(name.slice(2)) : undefined;
  return block && ofSet(negated ? complement(block) : block);
}

/** Returns an escape as an atom outside a class. */
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
