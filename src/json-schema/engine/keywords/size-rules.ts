import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';
import type { Builder, Check, Rule, Run } from '../model.js';
import { meterOf, ValueSet } from './json-equality.js';
import { type JsonNumber, numberIn } from './read-keyword.js';

/** Returns the size of a value; undefined if the keyword does not apply to the type of the value. */
type Measure = (value: unknown, run: Run) => number | undefined;

function sizeOfText(value: unknown, run: Run): number | undefined {
  if (typeof value !== 'string') return undefined;
  run.spend(value.length >> 5);
  return codePointsIn(value);
}

function sizeOfArray(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function sizeOfObject(value: unknown, run: Run): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const { length } = Object.keys(value);
  run.spend(length >> 3);
  return length;
}

interface SizeLimit {
  readonly keyword: string;
  readonly measure: Measure;
  readonly isWithin: (size: number, limit: JsonNumber) => boolean;
  /** Comparison and unit in the message, for example `fewer` and `items`. */
  readonly wording: readonly [string, string];
}

function sizeLimitRule({ keyword, measure, isWithin, wording: [comparison, unit] }: SizeLimit): Rule {
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const limit = numberIn(schema, keyword);
    if (limit === undefined) return undefined;
    const source = builder.errorSource(keyword);
    return (value, run) => {
      const size = measure(value, run);
      if (size === undefined || isWithin(size, limit)) return true;
      return run.fail(source, () => `must NOT have ${comparison} than ${limit} ${unit}`);
    };
  };
}

function limitRules(
  measure: Measure,
  [minKeyword, maxKeyword]: readonly [string, string],
  unit: string,
): readonly Rule[] {
  return [
    sizeLimitRule({
      keyword: minKeyword,
      measure,
      isWithin: (size, limit) => size >= limit,
      wording: ['fewer', unit],
    }),
    sizeLimitRule({
      keyword: maxKeyword,
      measure,
      isWithin: (size, limit) => size <= limit,
      wording: ['more', unit],
    }),
  ];
}

/** Rules that limit the size of a value, by keyword. */
export const SIZE_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  [
    { measure: sizeOfText, keywords: ['minLength', 'maxLength'] as const, unit: 'characters' },
    { measure: sizeOfArray, keywords: ['minItems', 'maxItems'] as const, unit: 'items' },
    { measure: sizeOfObject, keywords: ['minProperties', 'maxProperties'] as const, unit: 'properties' },
  ].flatMap(({ measure, keywords, unit }) =>
    limitRules(measure, keywords, unit).map((rule, at) => [keywords[at] ?? '', rule]),
  ),
);

/** Compiles `uniqueItems`. The check takes time linear in the size of the items. */
export function uniqueItemsRule(schema: JsonObject, builder: Builder): Check | undefined {
  if (memberOf(schema, 'uniqueItems') !== true) return undefined;
  const source = builder.errorSource('uniqueItems');
  return (value, run) => {
    if (!Array.isArray(value) || run.isAboveFocus()) return true;
    const items = new ValueSet();
    const meter = meterOf((steps) => {
      run.spend(steps);
    });
    const duplicate = value.findIndex((item) => !items.add(item, meter));
    return (
      duplicate < 0 ||
      run.fail(source, () => `must NOT have duplicate items: item ${duplicate} is there already`)
    );
  };
}

// Any surrogate. Most texts have none, and this search is far faster than a loop.
const SURROGATE = /[\ud800-\udfff]/;

/** Returns the number of code points in a text. A surrogate pair counts as one code point. */
function codePointsIn(text: string): number {
  let count = text.length;
  if (!SURROGATE.test(text)) return count;
  for (let at = 0; at < text.length - 1; at++) if (isSurrogatePair(text, at)) count -= 1;
  return count;
}

function isSurrogatePair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
