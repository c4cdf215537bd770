/** Long names of Unicode general categories (UAX #44) and the short ones that RE2 knows. */
const PROPERTY_CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Letter: 'L',
    Uppercase_Letter: 'Lu',
    Lowercase_Letter: 'Ll',
    Titlecase_Letter: 'Lt',
    Modifier_Letter: 'Lm',
    Other_Letter: 'Lo',
    Mark: 'M',
    Nonspacing_Mark: 'Mn',
    Spacing_Mark: 'Mc',
    Enclosing_Mark: 'Me',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Letter_Number: 'Nl',
    Other_Number: 'No',
    Punctuation: 'P',
    punct: 'P',
    Connector_Punctuation: 'Pc',
    Dash_Punctuation: 'Pd',
    Open_Punctuation: 'Ps',
    Close_Punctuation: 'Pe',
    Initial_Punctuation: 'Pi',
    Final_Punctuation: 'Pf',
    Other_Punctuation: 'Po',
    Symbol: 'S',
    Math_Symbol: 'Sm',
    Currency_Symbol: 'Sc',
    Modifier_Symbol: 'Sk',
    Other_Symbol: 'So',
    Separator: 'Z',
    Space_Separator: 'Zs',
    Line_Separator: 'Zl',
    Paragraph_Separator: 'Zp',
    Other: 'C',
    Control: 'Cc',
    Format: 'Cf',
    Private_Use: 'Co',
  }),
);

/**
 * Pattern that is invalid or cannot be matched in linear time. The message is a phrase that follows the place
 * of the pattern.
 */
export class PatternRefused extends Error {
  readonly source: string;

  constructor(source: string, why: string) {
    super(why);
    this.source = source;
  }
}

/** Maximum length of a pattern, in characters. */
const PATTERN_LENGTH = 2048;

const SPACES =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

// One token of a pattern: an escape, the start of a group, the start or end of a character class, or one
// character.
const TOKENS =
  /\\u\{(?<code>[0-9A-Fa-f]{1,6})\}|\\u(?<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?<low>[dD][c-fC-F][0-9A-Fa-f]{2})|\\u(?<unit>[0-9A-Fa-f]{4})|\\x(?<byte>[0-9A-Fa-f]{2})|\\c(?<control>[A-Za-z])|\\(?<sign>[pP])\{(?<property>[\w=]+)\}|\\(?<escaped>[^])|(?<look>\(\?(?:<?[=!]))|(?<empty>\[\^?\])|(?<open>\[\^?)|(?<other>[^])/gu;

/**
 * Translates a pattern of ECMA-262 into the syntax of RE2 with the same meaning. Throws a {@link
 * PatternRefused} for features that need unbounded time (look-around, back-references) and for invalid
 * patterns.
 */
export function toLinearSyntax(source: string): string {
  if (source.length > PATTERN_LENGTH)
    throw new PatternRefused(source, `is longer than ${PATTERN_LENGTH} characters`);
  let inClass = false;
  let translated = '';
  for (const { groups = {} } of source.matchAll(TOKENS)) {
    translated += translate(source, groups, inClass);
    // Inside a class, another opening bracket is literal.
    if (groups['open'] !== undefined) inClass = true;
    else if (groups['other'] === ']' || groups['empty'] !== undefined) inClass = false;
  }
  return translated;
}

type Token = Readonly<Record<string, string | undefined>>;

function translate(source: string, token: Token, inClass: boolean): string {
  const { sign, property, escaped } = token;
  const code = codeOf(token);
  if (code !== undefined) return `\\x{${code.toString(16)}}`;
  if (property !== undefined) return category(source, { sign, property, inClass });
  if (escaped !== undefined) return escape(source, escaped, inClass);
  return inClass ? memberOf(token) : unescaped(source, token);
}

function memberOf({ look, empty, open, other }: Token): string {
  return (look ?? empty ?? open ?? other ?? '').replaceAll('[', '\\[');
}

const ANY = '\\x{0}-\\x{10ffff}';

function unescaped(source: string, { look, empty, open, other }: Token): string {
  if (look !== undefined)
    throw new PatternRefused(source, `uses look-around (${look}), which costs unbounded time`);
  if (empty !== undefined) return empty === '[^]' ? `[${ANY}]` : `[^${ANY}]`;
  return other === '.' ? '[^\\n\\r\\x{2028}\\x{2029}]' : (open ?? other ?? '');
}

function codeOf({ code, high, low, unit, byte, control }: Token): number | undefined {
  if (high !== undefined && low !== undefined)
    return 0x10000 + ((parseInt(high, 16) - 0xd800) << 10) + parseInt(low, 16) - 0xdc00;
  const digits = code ?? unit ?? byte;
  if (digits !== undefined) return parseInt(digits, 16);
  return control === undefined ? undefined : control.charCodeAt(0) % 32;
}

/** Classes that RE2 does not know, as ranges. `IsBasicLatin` is from XML Schema. */
const RANGES = new Map([
  ['ASCII', '\\x{0}-\\x{7f}'],
  ['IsBasicLatin', '\\x{0}-\\x{7f}'],
  ['Any', ANY],
]);

interface Category {
  readonly sign: string | undefined;
  readonly property: string;
  readonly inClass: boolean;
}

function category(source: string, { sign = 'p', property, inClass }: Category): string {
  const name = property.replace(/^(?:General_Category|gc|Script_Extensions|Script|scx|sc)=/, '');
  const ranges = RANGES.get(name);
  if (ranges === undefined) return `\\${sign}{${PROPERTY_CLASSES.get(name) ?? name}}`;
  if (!inClass) return `[${sign === 'P' ? '^' : ''}${ranges}]`;
  if (sign === 'P') throw new PatternRefused(source, `uses \\P{${name}} inside a character class`);
  return ranges;
}

/** Escapes that mean the same inside and outside a class. */
const ESCAPES: Readonly<Record<string, string>> = {
  t: '\\t',
  n: '\\n',
  v: '\\v',
  f: '\\f',
  r: '\\r',
  0: '\\x{0}',
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
};
const OUTSIDE: Readonly<Record<string, string>> = {
  s: `[${SPACES}]`,
  S: `[${NO_SPACES}]`,
  b: '\\b',
  B: '\\B',
};
const INSIDE: Readonly<Record<string, string>> = { s: SPACES, S: NO_SPACES, b: '\\x{8}' };

function escape(source: string, letter: string, inClass: boolean): string {
  const known = ESCAPES[letter] ?? (inClass ? INSIDE : OUTSIDE)[letter];
  if (known !== undefined) return known;
  if (/[1-9k]/.test(letter))
    throw new PatternRefused(source, `uses a back-reference (\\${letter}), which costs unbounded time`);
  if (/[A-Za-z]/.test(letter))
    throw new PatternRefused(source, `uses \\${letter}, which is no escape of ECMA-262`);
  // An escaped literal loses its backslash, unless it is a punctuation character.
  return /[\p{L}\p{N}_\s]|[^\x20-\x7e]/u.test(letter) ? letter : `\\${letter}`;
}
