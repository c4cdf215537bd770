import { isScalar, Schema } from 'yaml';
import type { ValidationResult, Validator, Violation } from '../core/schema.js';
import { copyJson } from '../json/json-object.js';
import { pointerTokens, valueAt, withValues } from '../json/pointer.js';
import type { Insertion } from './interpolate.js';

/** Scalars with environment variables, by pointer into the validated value. */
export type Insertions = ReadonlyMap<string, Insertion>;

/** Result of a validation in which variables became numbers and booleans. */
interface ConvertedValue {
  /** Copy of the value with the schema's defaults. */
  readonly value: unknown;
  readonly result: ValidationResult;
  /** The numbers, booleans and nulls that variables became, by pointer. */
  readonly converted: ReadonlyMap<string, unknown>;
  /** Pointers of texts that the schema marks as secrets, also of those that became numbers. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * Validates a copy of a value. A scalar that is one variable without other text becomes a number, `true`,
 * `false` or null if the schema rejects its text there, accepts such a type, and YAML's core schema reads the
 * text as such a value. A text that the schema accepts stays a text.
 */
export function validateConverted(
  written: unknown,
  insertions: Insertions,
  validate: Validator,
): ConvertedValue {
  const untried = new Map(
    [...insertions].flatMap(([pointer, { isAlone }]) => {
      const text = valueAt(written, pointer);
      const reading = isAlone && typeof text === 'string' ? readCoreScalar(text) : undefined;
      return reading === undefined ? [] : [[pointer, reading.value] as const];
    }),
  );
  const converted = new Map<string, unknown>();
  const secrets = new Set<string>();
  const attempt = (changes: ReadonlyMap<string, unknown>): Pick<ConvertedValue, 'value' | 'result'> => {
    const value = copyJson(changes.size === 0 ? written : withValues(written, changes));
    return { value, result: validate(value) };
  };
  let current = attempt(converted);
  for (;;) {
    for (const pointer of current.result.secrets) secrets.add(pointer);
    const { violations } = current.result;
    const candidates = [...untried].filter(([pointer, reading]) =>
      violations.some((violation) => mayAcceptReading(violation, pointer, reading)),
    );
    if (candidates.length === 0) return { ...current, converted, secrets };
    for (const [pointer] of candidates) untried.delete(pointer);
    const { result } = attempt(new Map([...converted, ...candidates]));
    for (const [pointer, reading] of candidates) {
      const isRejected = result.violations.some(
        (violation) => violation.pointer === pointer && violation.keyword === 'type',
      );
      if (!isRejected) converted.set(pointer, reading);
    }
    // A schema reports a limited number of violations, so the next round can find more candidates.
    current = attempt(converted);
  }
}

/** Keywords whose violation can be that of a member. */
const COMBINING_KEYWORDS = new Set(['anyOf', 'oneOf']);

/**
 * Returns true if the violation of a text can end when the text becomes a number, a boolean or null. Null takes
 * the place only of a number or a boolean.
 */
function mayAcceptReading(violation: Violation, pointer: string, reading: unknown): boolean {
  const { keyword, types, pointer: at } = violation;
  if (reading === null) return pointer === at && keyword === 'type' && wantsNumberOrBoolean(types);
  return pointer === at || (COMBINING_KEYWORDS.has(keyword) && pointer.startsWith(`${at}/`));
}

function wantsNumberOrBoolean(types: readonly string[] = []): boolean {
  return types.some((type) => ['number', 'integer', 'boolean'].includes(type));
}

/** A tag of YAML that an unquoted scalar gets by its form. */
interface ScalarTag {
  readonly test: RegExp;
  resolve(text: string, onError: (message: string) => void, options: object): unknown;
}

/** The tags of the core schema for null, booleans and numbers. */
const CORE_TAGS = new Schema({ schema: 'core', merge: false, resolveKnownTags: false }).tags.filter(
  (tag) => tag.default === true && 'test' in tag,
) as unknown as readonly ScalarTag[];

/** A number, a boolean or null. */
interface CoreScalar {
  readonly value: number | boolean | null;
}

/**
 * Returns the number, the boolean or null that YAML's core schema reads in an unquoted scalar; undefined for
 * a text, and for a number that cannot be stored exactly. White space around the text does not count.
 */
export function readCoreScalar(text: string): CoreScalar | undefined {
  const plain = text.trim();
  const tag = CORE_TAGS.find(({ test }) => test.test(plain));
  const resolved = tag?.resolve(plain, () => undefined, {});
  const value = isScalar(resolved) ? resolved.value : resolved;
  if (value === null || typeof value === 'boolean') return { value };
  if (typeof value !== 'number') return undefined;
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? { value } : undefined;
}

/** Message and fix of a violation by a value that came from environment variables. */
interface VariableFault {
  readonly message: string;
  readonly fix: string;
}

/** A violation at the position of a scalar with variables. */
interface VariableViolation {
  readonly violation: Violation;
  readonly insertion: Insertion;
  /** Text of the scalar after the variables were inserted. */
  readonly text: string;
  /** True if the variable became a number, a boolean or null. */
  readonly isConverted: boolean;
  readonly isSecret: boolean;
}

/**
 * Returns the message and the fix for a violation by a variable. They name the variable. They contain its
 * text only for a setting that is a number, a boolean or one of several words, and never if the setting is a
 * secret or a name sounds like that of a secret.
 */
export function variableFault(found: VariableViolation): VariableFault | undefined {
  const { violation, insertion } = found;
  const { keyword, types = [], message } = violation;
  const [name = ''] = insertion.names;
  const wantsNumber = keyword === 'type' && wantsNumberOrBoolean(types);
  if (!insertion.isAlone)
    return wantsNumber
      ? {
          message,
          fix: `Write \${${name}} without other text: only then can its value be a number or a boolean.`,
        }
      : undefined;
  const { isDefault } = insertion;
  const source = isDefault ? `the default of ${name}` : name;
  const fix = isDefault ? `Correct the default of ${name}, or set the variable.` : `Correct ${name}.`;
  const shown = shownText(found);
  if (wantsNumber) {
    const wanted = types.map((type) => TYPE_WORDS[type] ?? type).join(' or ');
    return { message: `${source} is ${shown === undefined ? '' : `${shown}, which is `}not ${wanted}`, fix };
  }
  const origin = isDefault ? source : `that of ${name}`;
  return {
    message: `${message}; ${shown === undefined ? `the value is ${origin}` : `${source} is ${shown}`}`,
    fix,
  };
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a text',
  array: 'a list',
};

const SECRET_NAME = /pass|pwd|secret|token|key|credential|auth|cookie|login/i;
/** Maximum length of a text that a fault shows. */
const MAX_SHOWN_LENGTH = 40;
const WORD_KEYWORDS = new Set(['enum', 'const', 'anyOf']);

/** Returns the text of the variable in quotes if a fault may show it. */
function shownText({
  violation,
  insertion,
  text,
  isConverted,
  isSecret,
}: VariableViolation): string | undefined {
  const { keyword, types, pointer } = violation;
  const isNumber = isConverted || wantsNumberOrBoolean(types);
  if (isSecret || (!isNumber && !WORD_KEYWORDS.has(keyword)) || text.length > MAX_SHOWN_LENGTH)
    return undefined;
  const names = isNumber ? insertion.names : [...insertion.names, pointerTokens(pointer).at(-1) ?? ''];
  if (names.some((name) => SECRET_NAME.test(name))) return undefined;
  return text === '' ? 'empty' : JSON.stringify(text);
}
