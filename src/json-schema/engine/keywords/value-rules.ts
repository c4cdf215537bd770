import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';
import type { Formats } from '../formats/formats.js';
import type { Builder, Check, Rule, Run } from '../model.js';
import { isEqual, type Meter, meterOf, ValueSet } from './json-equality.js';
import { matchesPattern } from './object-rules.js';
import { isJsonNumber, quoted, textIn, textsOf, type JsonNumber, numberIn } from './read-keyword.js';

/** Compiles `type`. */
export function typeRule(schema: JsonObject, builder: Builder): Check | undefined {
  const single = textIn(schema, 'type');
  const types = single === undefined ? textsOf(schema['type']) : [single];
  if (types.length === 0) return undefined;
  const source = builder.errorSource('type');
  return (value, run) => {
    for (const type of types) if (isOfType(value, type)) return true;
    return run.fail(source, () => `must be ${types.join(', ')}`);
  };
}

/** Returns true if a value has a JSON type. A number without a fractional part is also an `integer`. */
function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return isJsonNumber(value);
    default:
      return typeof value === type;
  }
}

/** Compiles `enum`. An empty list accepts no value. */
export function enumRule(schema: JsonObject, builder: Builder): Check | undefined {
  const allowed = memberOf(schema, 'enum');
  if (!Array.isArray(allowed)) return undefined;
  const allowedValues = new ValueSet();
  const meter = meterOf(builder.spend);
  for (const constant of allowed) allowedValues.add(constant, meter);
  const source = builder.errorSource('enum');
  return (value, run) =>
    allowedValues.has(value, meterOfRun(run)) ||
    run.fail(source, () => 'must be equal to one of the allowed values');
}

/** Compiles `const`. */
export function constRule(schema: JsonObject, builder: Builder): Check {
  const constant = memberOf(schema, 'const');
  const source = builder.errorSource('const');
  return (value, run) =>
    isEqual(value, constant, meterOfRun(run)) || run.fail(source, () => 'must be equal to constant');
}

function meterOfRun(run: Run): Meter {
  return meterOf((steps) => {
    run.spend(steps);
  });
}

/** Compiles `pattern`. */
export function patternRule(schema: JsonObject, builder: Builder): Check | undefined {
  const regex = textIn(schema, 'pattern');
  const pattern = regex === undefined ? undefined : builder.pattern(regex, 'pattern');
  if (!pattern) return undefined;
  const source = builder.errorSource('pattern');
  return (value, run) =>
    typeof value !== 'string' ||
    matchesPattern(pattern, value, run) ||
    run.fail(source, () => `must match pattern ${quoted(regex ?? '')}`);
}

/** Returns the rule for `format`. The rule checks nothing if `format` is an annotation or unknown. */
export function formatRule(formats: Formats): Rule {
  return (schema, builder) => compileFormat(formats, schema, builder);
}

function compileFormat(formats: Formats, schema: JsonObject, builder: Builder): Check | undefined {
  const name = textIn(schema, 'format');
  const accepts = name === undefined || builder.formats === 'annotate' ? undefined : formats.get(name);
  if (!accepts) return undefined;
  const source = builder.errorSource('format');
  return (value, run) => {
    if (typeof value !== 'string') return true;
    run.spend(value.length >> 3);
    return accepts(value) || run.fail(source, () => `must match format ${quoted(name ?? '')}`);
  };
}

type Comparison = '>=' | '>' | '<=' | '<';

// JavaScript compares a bigint with a number exactly.
const COMPARISONS: Readonly<Record<Comparison, (value: JsonNumber, limit: JsonNumber) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '>': (value, limit) => value > limit,
  '<=': (value, limit) => value <= limit,
  '<': (value, limit) => value < limit,
};

function limitRule(keyword: string, comparison: Comparison): Rule {
  const isWithin = COMPARISONS[comparison];
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const limit = numberIn(schema, keyword);
    if (limit === undefined) return undefined;
    const source = builder.errorSource(keyword);
    return (value, run) =>
      !isJsonNumber(value) ||
      isWithin(value, limit) ||
      run.fail(source, () => `must be ${comparison} ${limit}`);
  };
}

/**
 * Returns a rule of draft 4. In that draft, `exclusiveMinimum` and `exclusiveMaximum` are booleans that
 * change the comparison of `minimum` and `maximum`.
 */
function limitRuleOfDraft4(
  keyword: string,
  [exclusiveComparison, inclusiveComparison]: readonly [Comparison, Comparison],
): Rule {
  const exclusiveKeyword = `exclusive${keyword[0]?.toUpperCase() ?? ''}${keyword.slice(1)}`;
  const [exclusiveRule, inclusiveRule] = [
    limitRule(keyword, exclusiveComparison),
    limitRule(keyword, inclusiveComparison),
  ];
  return (schema, builder) =>
    (memberOf(schema, exclusiveKeyword) === true ? exclusiveRule : inclusiveRule)(schema, builder);
}

/** Compiles `multipleOf`, which is exact in decimal notation. */
function multipleOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const divisor = numberIn(schema, 'multipleOf');
  if (divisor === undefined) return undefined;
  const source = builder.errorSource('multipleOf');
  return (value, run) =>
    !isJsonNumber(value) ||
    isMultipleOf(value, divisor) ||
    run.fail(source, () => `must be multiple of ${divisor}`);
}

/** Rules for numbers in draft 4. */
export const NUMBER_RULES_OF_DRAFT_4: Readonly<Record<string, Rule>> = {
  minimum: limitRuleOfDraft4('minimum', ['>', '>=']),
  maximum: limitRuleOfDraft4('maximum', ['<', '<=']),
  multipleOf: multipleOfRule,
};

/** Rules for numbers since draft 6. */
export const NUMBER_RULES: Readonly<Record<string, Rule>> = {
  minimum: limitRule('minimum', '>='),
  exclusiveMinimum: limitRule('exclusiveMinimum', '>'),
  maximum: limitRule('maximum', '<='),
  exclusiveMaximum: limitRule('exclusiveMaximum', '<'),
  multipleOf: multipleOfRule,
};

/** Returns true if a number is a multiple of a divisor in decimal notation: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: JsonNumber, divisor: JsonNumber): boolean {
  if (divisor === 0) return false;
  if (
    typeof value === 'number' &&
    typeof divisor === 'number' &&
    Number.isInteger(value) &&
    Number.isInteger(divisor)
  )
    return value % divisor === 0;
  const [dividendDecimal, divisorDecimal] = [decimalOf(value), decimalOf(divisor)];
  const scale = Math.min(dividendDecimal.exponent, divisorDecimal.exponent);
  return scaledDigits(dividendDecimal, scale) % scaledDigits(divisorDecimal, scale) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Returns the shortest decimal of a double, which has at most 17 digits and an exponent of at most three digits, or the
 * digits of a `bigint`.
 */
function decimalOf(value: JsonNumber): Decimal {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 };
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

function scaledDigits({ digits, exponent }: Decimal, scale: number): bigint {
  return digits * 10n ** BigInt(exponent - scale);
}
