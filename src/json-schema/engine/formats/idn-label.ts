// RFC 5892 appendix A: characters that are valid only in certain contexts.
const ZERO_WIDTH_NON_JOINER = '\u200c';
const ZERO_WIDTH_JOINER = '\u200d';
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]/u;

// RFC 5892 section 2.6.
const ALLOWED_BY_EXCEPTION = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/u;
const REFUSED_BY_EXCEPTION = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;

// RFC 5892 sections 2.1, 2.3 and 2.9. `isStable` finds characters that are not stable under normalization.
const LETTER_OR_DIGIT = /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]/u;
const IGNORABLE_BLOCK = /[\u20d0-\u20ff\u{1d100}-\u{1d1ff}\u{1d200}-\u{1d24f}]/u;
const OLD_HANGUL = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** Returns true for a label in Unicode (RFC 5891 section 4.2, RFC 5892). */
export function isIdnLabel(label: string): boolean {
  if (label === '' || label.startsWith('-') || label.endsWith('-') || label.slice(2, 4) === '--')
    return false;
  if (label.normalize('NFC') !== label || /^\p{M}/u.test(label)) return false;
  const characters = Array.from(label);
  return characters.every((_, at) => isAllowed(characters, at));
}

function isAllowed(characters: readonly string[], at: number): boolean {
  const character = characters[at] ?? '';
  const rule = CONTEXT[character];
  if (rule) return rule(characters, at);
  if (/[\u0660-\u0669]/u.test(character)) return !characters.some((one) => /[\u06f0-\u06f9]/u.test(one));
  if (/[\u06f0-\u06f9]/u.test(character)) return !characters.some((one) => /[\u0660-\u0669]/u.test(one));
  return isValid(character);
}

/** Returns true for a character that RFC 5892 section 3 allows. */
function isValid(character: string): boolean {
  if (/[a-z0-9-]/.test(character) || ALLOWED_BY_EXCEPTION.test(character)) return true;
  if (REFUSED_BY_EXCEPTION.test(character) || !isStable(character)) return false;
  if (IGNORABLE.test(character) || IGNORABLE_BLOCK.test(character) || OLD_HANGUL.test(character))
    return false;
  return LETTER_OR_DIGIT.test(character);
}

function isStable(character: string): boolean {
  return character.normalize('NFKC').toLowerCase().normalize('NFKC') === character;
}

type ContextRule = (characters: readonly string[], at: number) => boolean;

const KATAKANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Rules of RFC 5892 appendix A, by character. */
const CONTEXT: Readonly<Record<string, ContextRule>> = {
  [ZERO_WIDTH_NON_JOINER]: (all, at) => VIRAMA.test(all[at - 1] ?? '') || joins(all, at),
  [ZERO_WIDTH_JOINER]: (all, at) => VIRAMA.test(all[at - 1] ?? ''),
  '\u00b7': (all, at) => all[at - 1] === 'l' && all[at + 1] === 'l',
  '\u0375': (all, at) => /\p{Script=Greek}/u.test(all[at + 1] ?? ''),
  '\u05f3': (all, at) => /\p{Script=Hebrew}/u.test(all[at - 1] ?? ''),
  '\u05f4': (all, at) => /\p{Script=Hebrew}/u.test(all[at - 1] ?? ''),
  '\u30fb': (all) => all.some((one) => one !== '\u30fb' && KATAKANA_OR_HAN.test(one)),
};

/** Letters of scripts that are written joined, including letters that join on one side only. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]/u;

function joins(all: readonly string[], at: number): boolean {
  const bare = (characters: readonly string[]) => characters.filter((one) => !/\p{Mn}/u.test(one));
  return JOINING.test(bare(all.slice(0, at)).at(-1) ?? '') && JOINING.test(bare(all.slice(at + 1))[0] ?? '');
}
