import { type JsonObject, memberOf } from '../../../json/json-object.js';
import type { Builder, Check, Rule } from '../model.js';
import { isJsonNumber, type JsonNumber, numberIn } from './read-keyword.js';

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
