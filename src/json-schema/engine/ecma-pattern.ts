import { RE2JS } from 're2js';
import { splitRepeats } from '../../lib/pattern-repeats.js';
import type { Pattern } from './model.js';
import { compileSimplePattern } from './simple-pattern.js';

/**
 * Thrown for a pattern that is invalid or cannot be matched in linear time. The message is a phrase that
 * follows the location of the pattern.
 */
export class UnsupportedPattern extends Error {
  readonly source: string;

  constructor(source: string, reason: string) {
    super(reason);
    this.source = source;
  }
}

/** Compiles an ECMA-262 pattern for matching in linear time. Throws an {@link UnsupportedPattern}. */
export function compilePattern(source: string): Pattern {
  return compileSimplePattern(source) ?? compileLinearPattern(source);
}

/** Compiles a pattern for RE2, which takes linear time for every pattern. Throws an {@link UnsupportedPattern}. */
export function compileLinearPattern(source: string): Pattern {
  const translated = splitRepeats(toLinearSyntax(source));
  if ('refused' in translated) throw new UnsupportedPattern(source, translated.refused);
  try {
    const compiled = RE2JS.compile(translated.source);
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
    throw new UnsupportedPattern(source, `is invalid or cannot be matched in linear time (${reason})`);
  }
}

// One token of a pattern: an escape, the start of a look-around group, the start or end of a character class,
// or one character.
const TOKEN =
  /\\u\{(?<code>[0-9A-Fa-f]{1,6})\}|\\u(?<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?<low>[dD][c-fC-F][0-9A-Fa-f]{2})|\\u(?<unit>[0-9A-Fa-f]{4})|\\x(?<byte>[0-9A-Fa-f]{2})|\\c(?<control>[A-Za-z])|\\(?<sign>[pP])\{(?<property>[\w=]+)\}|\\(?<escaped>[^])|(?<look>\(\?(?:<?[=!]))|(?<empty>\[\^?\])|(?<open>\[\^?)|(?<other>[^])/gu;

/**
 * Translates an ECMA-262 pattern into the syntax of RE2 with the same meaning. Throws an
 * {@link UnsupportedPattern} for look-around and back-references, which need unbounded time, and for unknown
 * escapes.
 */
function toLinearSyntax(source: string): string {
  let inClass = false;
  let translated = '';
  for (const { groups = {} } of source.matchAll(TOKEN)) {
    translated += translateToken(source, groups, inClass);
    // An opening bracket inside a class is a literal character.
    if (groups['open'] !== undefined) inClass = true;
    else if (groups['other'] === ']' || groups['empty'] !== undefined) inClass = false;
  }
  return translated;
}

/** Short names of Unicode general categories, which RE2 knows, by their long names (UAX #44). */
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

const WHITE_SPACE =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NON_WHITE_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

type Token = Readonly<Record<string, string | undefined>>;

function translateToken(source: string, token: Token, inClass: boolean): string {
  const { sign, property, escaped } = token;
  const code = codePointOf(token);
  if (code !== undefined) return `\\x{${code.toString(16)}}`;
  if (property !== undefined) return translateProperty(source, { sign, property, inClass });
  if (escaped !== undefined) return translateEscape(source, escaped, inClass);
  return inClass ? inClassText(token) : outsideClassText(source, token);
}

function inClassText({ look, empty, open, other }: Token): string {
  return (look ?? empty ?? open ?? other ?? '').replaceAll('[', '\\[');
}

const ANY_CHARACTER = '\\x{0}-\\x{10ffff}';

function outsideClassText(source: string, { look, empty, open, other }: Token): string {
  if (look !== undefined)
    throw new UnsupportedPattern(source, `uses look-around (${look}), which costs unbounded time`);
  if (empty !== undefined) return empty === '[^]' ? `[${ANY_CHARACTER}]` : `[^${ANY_CHARACTER}]`;
  return other === '.' ? '[^\\n\\r\\x{2028}\\x{2029}]' : (open ?? other ?? '');
}

function codePointOf({ code, high, low, unit, byte, control }: Token): number | undefined {
  if (high !== undefined && low !== undefined)
    return 0x10000 + ((parseInt(high, 16) - 0xd800) << 10) + parseInt(low, 16) - 0xdc00;
  const digits = code ?? unit ?? byte;
  if (digits !== undefined) return parseInt(digits, 16);
  return control === undefined ? undefined : control.charCodeAt(0) % 32;
}

/** Properties that RE2 does not know, as ranges. `IsBasicLatin` is a name of XML Schema. */
const PROPERTY_RANGES = new Map([
  ['ASCII', '\\x{0}-\\x{7f}'],
  ['IsBasicLatin', '\\x{0}-\\x{7f}'],
  ['Any', ANY_CHARACTER],
]);

interface PropertyEscape {
  readonly sign: string | undefined;
  readonly property: string;
  readonly inClass: boolean;
}

function translateProperty(source: string, { sign = 'p', property, inClass }: PropertyEscape): string {
  const name = property.replace(/^(?:General_Category|gc|Script_Extensions|Script|scx|sc)=/, '');
  const ranges = PROPERTY_RANGES.get(name);
  if (ranges === undefined) return `\\${sign}{${PROPERTY_CLASSES.get(name) ?? name}}`;
  if (!inClass) return `[${sign === 'P' ? '^' : ''}${ranges}]`;
  if (sign === 'P') throw new UnsupportedPattern(source, `uses \\P{${name}} inside a character class`);
  return ranges;
}

/** Escapes with the same meaning inside and outside a class. */
const COMMON_ESCAPES: Readonly<Record<string, string>> = {
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
const ESCAPES_OUTSIDE_CLASS: Readonly<Record<string, string>> = {
  s: `[${WHITE_SPACE}]`,
  S: `[${NON_WHITE_SPACE}]`,
  b: '\\b',
  B: '\\B',
};
const ESCAPES_IN_CLASS: Readonly<Record<string, string>> = {
  s: WHITE_SPACE,
  S: NON_WHITE_SPACE,
  b: '\\x{8}',
};

function translateEscape(source: string, letter: string, inClass: boolean): string {
  const known = COMMON_ESCAPES[letter] ?? (inClass ? ESCAPES_IN_CLASS : ESCAPES_OUTSIDE_CLASS)[letter];
  if (known !== undefined) return known;
  if (/[1-9k]/.test(letter))
    throw new UnsupportedPattern(source, `uses a back-reference (\\${letter}), which costs unbounded time`);
  if (/[A-Za-z]/.test(letter))
    throw new UnsupportedPattern(source, `uses \\${letter}, which is not an escape of ECMA-262`);
  // Only punctuation keeps its backslash; RE2 refuses the backslash before other characters.
  return /[\p{L}\p{N}_\s]|[^\x20-\x7e]/u.test(letter) ? letter : `\\${letter}`;
}
