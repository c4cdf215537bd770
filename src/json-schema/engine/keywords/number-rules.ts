import { type JsonObject, memberOf } from '../../../core/json-object.js';
import { type Builder, type Check, type Rule } from '../model.js';
import { isMultipleOf } from '../values/multiple-of.js';
import { numberIn } from './read-keyword.js';

type Comparison = '>=' | '>' | '<=' | '<';

const FITS: Readonly<Record<Comparison, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '>': (value, limit) => value > limit,
  '<=': (value, limit) => value <= limit,
  '<': (value, limit) => value < limit,
};

/** Returns a rule that compares numbers with the value of its keyword. */
function boundRule(keyword: string, comparison: Comparison): Rule {
  const fits = FITS[comparison];
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const limit = numberIn(schema, keyword);
    if (limit === undefined) return undefined;
    const site = builder.site(keyword);
    return (value, run) =>
      typeof value !== 'number' ||
      fits(value, limit) ||
      run.fail(site, () => `must be ${comparison} ${limit}`);
  };
}

/**
 * Returns a rule of draft 4, in which `exclusiveMinimum` and `exclusiveMaximum` change the comparison of the
 * keyword next to them.
 */
function boundOfDraft4(keyword: string, [strict, loose]: readonly [Comparison, Comparison]): Rule {
  const exclusive = `exclusive${keyword[0]?.toUpperCase() ?? ''}${keyword.slice(1)}`;
  const [strictRule, looseRule] = [boundRule(keyword, strict), boundRule(keyword, loose)];
  return (schema, builder) =>
    (memberOf(schema, exclusive) === true ? strictRule : looseRule)(schema, builder);
}

/** Compiles `multipleOf`, exact in decimal. */
function multipleOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const factor = numberIn(schema, 'multipleOf');
  if (factor === undefined) return undefined;
  const site = builder.site('multipleOf');
  return (value, run) =>
    typeof value !== 'number' ||
    isMultipleOf(value, factor) ||
    run.fail(site, () => `must be multiple of ${factor}`);
}

/** Rules for numbers in draft 4. */
export const NUMBER_RULES_OF_DRAFT_4: Readonly<Record<string, Rule>> = {
  minimum: boundOfDraft4('minimum', ['>', '>=']),
  maximum: boundOfDraft4('maximum', ['<', '<=']),
  multipleOf: multipleOfRule,
};

/** Rules for numbers since draft 6. */
export const NUMBER_RULES: Readonly<Record<string, Rule>> = {
  minimum: boundRule('minimum', '>='),
  exclusiveMinimum: boundRule('exclusiveMinimum', '>'),
  maximum: boundRule('maximum', '<='),
  exclusiveMaximum: boundRule('exclusiveMaximum', '<'),
  multipleOf: multipleOfRule,
};
