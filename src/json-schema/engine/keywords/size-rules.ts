import { isJsonObject, type JsonObject, memberOf } from '../../../core/json-object.js';
import { type Builder, type Check, type Rule, type Run } from '../model.js';
import { codePointsIn } from '../values/code-points.js';
import { meterOf } from '../values/cost-budget.js';
import { ValueSet } from '../values/value-set.js';
import { numberIn } from './read-keyword.js';

/** Returns the size of a value; undefined if the keyword does not apply to it. */
type Measure = (value: unknown, run: Run) => number | undefined;

function sizeOfText(value: unknown, run: Run): number | undefined {
  if (typeof value !== 'string') return undefined;
  run.spend(value.length >> 5);
  return codePointsIn(value);
}

function sizeOfArray(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function sizeOfObject(value: unknown): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

interface Limit {
  readonly keyword: string;
  readonly measure: Measure;
  readonly fits: (size: number, limit: number) => boolean;
  /** Comparison and unit for the message, for example `fewer` and `items`. */
  readonly words: readonly [string, string];
}

function limitRule({ keyword, measure, fits, words: [comparison, things] }: Limit): Rule {
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const limit = numberIn(schema, keyword);
    if (limit === undefined) return undefined;
    const site = builder.site(keyword);
    return (value, run) => {
      const size = measure(value, run);
      if (size === undefined || fits(size, limit)) return true;
      return run.fail(site, () => `must NOT have ${comparison} than ${limit} ${things}`);
    };
  };
}

function pair(measure: Measure, [least, most]: readonly [string, string], things: string): readonly Rule[] {
  return [
    limitRule({ keyword: least, measure, fits: (size, limit) => size >= limit, words: ['fewer', things] }),
    limitRule({ keyword: most, measure, fits: (size, limit) => size <= limit, words: ['more', things] }),
  ];
}

/** Rules for the size of a value, by keyword. */
export const SIZE_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  [
    { measure: sizeOfText, keywords: ['minLength', 'maxLength'] as const, things: 'characters' },
    { measure: sizeOfArray, keywords: ['minItems', 'maxItems'] as const, things: 'items' },
    { measure: sizeOfObject, keywords: ['minProperties', 'maxProperties'] as const, things: 'properties' },
  ].flatMap(({ measure, keywords, things }) =>
    pair(measure, keywords, things).map((rule, at) => [keywords[at] ?? '', rule]),
  ),
);

/** Compiles `uniqueItems`. Takes time linear in the size of the items. */
export function uniqueItemsRule(schema: JsonObject, builder: Builder): Check | undefined {
  if (memberOf(schema, 'uniqueItems') !== true) return undefined;
  const site = builder.site('uniqueItems');
  return (value, run) => {
    if (!Array.isArray(value) || run.isAboveFocus()) return true;
    const known = new ValueSet();
    const meter = meterOf((steps) => {
      run.spend(steps);
    });
    const twin = value.findIndex((item) => !known.add(item, meter));
    return twin < 0 || run.fail(site, () => `must NOT have duplicate items: item ${twin} is there already`);
  };
}
