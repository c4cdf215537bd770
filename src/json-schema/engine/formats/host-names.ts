// RFC 1123 section 2.1, RFC 5890 section 2.3.1.
const ASCII_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Maximum length of a host name and of a label in their ASCII form, in characters. */
const MAX_NAME_LENGTH = 253;

const MAX_LABEL_LENGTH = 63;

/** Returns true for a host name (RFC 1123). Labels that encode Unicode must be valid (RFC 5890). */
export function isHostName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && text.split('.').every(isAsciiLabel);
}

/**
 * Returns true for a host name as drafts 4 and 6 define it, without a check of labels that encode Unicode.
 */
export function isPlainHostName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && text.split('.').every((label) => ASCII_LABEL.test(label));
}

// All characters that RFC 3490 section 3.1 accepts as a dot.
const DOTS = /[.\u3002\uff0e\uff61]/u;

/** Returns true for a host name with labels in Unicode (RFC 5890 section 2.3.2.3). */
export function isIdnHostName(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  const labels = text.split(DOTS);
  const areValid = labels.every((label) =>
    /[^\x00-\x7f]/.test(label) ? isIdnLabel(label) : isAsciiLabel(label),
  );
  return (
    areValid &&
    haveConsistentDirection(labels) &&
    isHostName(labels.map((label) => asciiLabel(label) ?? '').join('.'))
  );
}

/**
 * Returns true for a label in ASCII. A label with `--` as its third and fourth characters must
 * be an A-label.
 */
function isAsciiLabel(label: string): boolean {
  if (!ASCII_LABEL.test(label)) return false;
  return label.slice(2, 4) !== '--' || isALabel(label.toLowerCase());
}

/**
 * Returns true for an A-label (RFC 5890 section 2.3.2.1): `xn--` and the Punycode of a valid Unicode label.
 */
function isALabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const decoded = decodePunycode(label.slice(4));
  if (decoded === undefined || !/[^\x00-\x7f]/.test(decoded)) return false;
  return (
    encodePunycode(decoded) === label.slice(4) && isIdnLabel(decoded) && haveConsistentDirection([decoded])
  );
}

/** Returns the ASCII form of a label; undefined if the form is too long. */
function asciiLabel(label: string): string | undefined {
  if (label.length > MAX_LABEL_LENGTH) return undefined;
  const ascii = /[^\x00-\x7f]/.test(label) ? `xn--${encodePunycode(label)}` : label;
  return ascii.length <= MAX_LABEL_LENGTH ? ascii : undefined;
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

const EUROPEAN_DIGIT = /[0-9\u06f0-\u06f9]/;

const ARABIC_DIGIT = /[\u0660-\u0669]/;

/**
 * Checks labels against the rule for right-to-left names (RFC 5893 section 2). If any label contains a
 * right-to-left letter, each label must begin with a letter, have letters of one direction and use one kind
 * of digits. The direction of a character is derived from its script.
 */
function haveConsistentDirection(labels: readonly string[]): boolean {
  const characters = labels.map((label) => Array.from(label));
  return !characters.some((label) => label.some(isRightToLeft)) || characters.every(hasConsistentDirection);
}

/** Returns true for a right-to-left letter. Digits and combining marks have no direction of their own. */
function isRightToLeft(character: string): boolean {
  return RIGHT_TO_LEFT.test(character) && !/[\p{Nd}\p{M}]/u.test(character);
}

function isLeftToRight(character: string): boolean {
  return /\p{L}/u.test(character) && !RIGHT_TO_LEFT.test(character);
}

function hasConsistentDirection(label: readonly string[]): boolean {
  const [first = ''] = label;
  if (!isRightToLeft(first) && !isLeftToRight(first)) return false;
  if (
    label.some((character) => EUROPEAN_DIGIT.test(character)) &&
    label.some((character) => ARABIC_DIGIT.test(character))
  )
    return false;
  return !(label.some(isRightToLeft) && label.some(isLeftToRight));
}

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

/** Returns true for a valid label in Unicode (RFC 5891 section 4.2, RFC 5892). */
function isIdnLabel(label: string): boolean {
  if (label === '' || label.startsWith('-') || label.endsWith('-') || label.slice(2, 4) === '--')
    return false;
  if (label.normalize('NFC') !== label || /^\p{M}/u.test(label)) return false;
  const characters = Array.from(label);
  return characters.every((_, at) => isAllowed(characters, at));
}

function isAllowed(characters: readonly string[], at: number): boolean {
  const character = characters[at] ?? '';
  const rule = CONTEXT_RULES[character];
  if (rule) return rule(characters, at);
  if (/[\u0660-\u0669]/u.test(character)) return !characters.some((other) => /[\u06f0-\u06f9]/u.test(other));
  if (/[\u06f0-\u06f9]/u.test(character)) return !characters.some((other) => /[\u0660-\u0669]/u.test(other));
  return isValidCodePoint(character);
}

/** Returns true for a character that RFC 5892 section 3 allows. */
function isValidCodePoint(character: string): boolean {
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

const KANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Rules of RFC 5892 appendix A, by character. */
const CONTEXT_RULES: Readonly<Record<string, ContextRule>> = {
  [ZERO_WIDTH_NON_JOINER]: (characters, at) =>
    VIRAMA.test(characters[at - 1] ?? '') || isBetweenJoiningLetters(characters, at),
  [ZERO_WIDTH_JOINER]: (characters, at) => VIRAMA.test(characters[at - 1] ?? ''),
  '\u00b7': (characters, at) => characters[at - 1] === 'l' && characters[at + 1] === 'l',
  '\u0375': (characters, at) => /\p{Script=Greek}/u.test(characters[at + 1] ?? ''),
  '\u05f3': (characters, at) => /\p{Script=Hebrew}/u.test(characters[at - 1] ?? ''),
  '\u05f4': (characters, at) => /\p{Script=Hebrew}/u.test(characters[at - 1] ?? ''),
  '\u30fb': (characters) =>
    characters.some((character) => character !== '\u30fb' && KANA_OR_HAN.test(character)),
};

/** Letters of cursive scripts, including letters that join on one side only. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]/u;

/** Returns true if the nearest letters before and after an index belong to cursive scripts. */
function isBetweenJoiningLetters(characters: readonly string[], at: number): boolean {
  const withoutMarks = (part: readonly string[]) => part.filter((character) => !/\p{Mn}/u.test(character));
  return (
    JOINING.test(withoutMarks(characters.slice(0, at)).at(-1) ?? '') &&
    JOINING.test(withoutMarks(characters.slice(at + 1))[0] ?? '')
  );
}

// Parameters of RFC 3492 section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 0x80;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Decodes the Punycode of a label after its `xn--` (RFC 3492 section 6.2). Returns undefined for invalid
 * Punycode.
 */
export function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), codePointOf);
  let [at, code, bias, index] = [delimiter + 1, INITIAL_CODE, INITIAL_BIAS, 0];
  while (at < text.length) {
    const step = readNumber(text, at, bias);
    if (!step) return undefined;
    const size = output.length + 1;
    bias = adapt({ delta: step.value, size, isFirst: at === delimiter + 1 });
    code += Math.floor((index + step.value) / size);
    index = (index + step.value) % size;
    if (code > MAX_CODE_POINT) return undefined;
    output.splice(index, 0, code);
    index += 1;
    at = step.end;
  }
  return String.fromCodePoint(...output);
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Reads a generalized variable-length integer (RFC 3492 section 3.3). */
function readNumber(text: string, start: number, bias: number): { value: number; end: number } | undefined {
  let [value, weight] = [0, 1];
  for (let [at, k] = [start, BASE]; at < text.length; at++, k += BASE) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit >= BASE) return undefined;
    value += digit * weight;
    if (!Number.isSafeInteger(value)) return undefined;
    const threshold = thresholdAt(k, bias);
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
  }
  return undefined;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 26 ? letter : BASE;
}

function thresholdAt(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, T_MIN), T_MAX);
}

/** Returns the bias for the next integer (RFC 3492 section 6.1). */
function adapt({ delta, size, isFirst }: { delta: number; size: number; isFirst: boolean }): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / size);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/** Encodes a text as Punycode for use after `xn--` (RFC 3492 section 6.3). */
export function encodePunycode(text: string): string {
  const codes = Array.from(text, codePointOf);
  const basic = codes.filter((code) => code < INITIAL_CODE);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let [code, delta, bias, encoded] = [INITIAL_CODE, 0, INITIAL_BIAS, basic.length];
  while (encoded < codes.length) {
    const next = Math.min(...codes.filter((point) => point >= code));
    delta += (next - code) * (encoded + 1);
    for (const point of codes) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      output += writeNumber(delta, bias);
      bias = adapt({ delta, size: encoded + 1, isFirst: encoded === basic.length });
      delta = 0;
      encoded += 1;
    }
    delta += 1;
    code = next + 1;
  }
  return output;
}

function writeNumber(number: number, bias: number): string {
  let [rest, digits] = [number, ''];
  for (let k = BASE; ; k += BASE) {
    const threshold = thresholdAt(k, bias);
    if (rest < threshold) return digits + digit(rest);
    const range = BASE - threshold;
    digits += digit(threshold + ((rest - threshold) % range));
    rest = Math.floor((rest - threshold) / range);
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}
