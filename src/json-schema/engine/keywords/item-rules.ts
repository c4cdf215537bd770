import { type JsonObject, memberOf } from '../../../core/json-object.js';
import {
  type Builder,
  type Check,
  type Run,
  type SchemaNode,
  type Seen,
  type ErrorSource,
} from '../model.js';
import { isSchema, listIn, numberIn, schemaIn } from './read-keyword.js';

/** Compiles `items` and `additionalItems` of drafts up to 2019-09. */
export function itemsBefore2020Rule(schema: JsonObject, builder: Builder): Check {
  if (!Array.isArray(memberOf(schema, 'items')))
    return restRule({ keyword: 'items', start: 0 }, schema, builder);
  const first = firstRule('items', schema, builder);
  const start = listIn(schema, 'items').length;
  const rest = restRule({ keyword: 'additionalItems', start }, schema, builder);
  return (value, run, seen) => {
    const valid = first(value, run, seen);
    return (valid || !run.isProbing()) && rest(value, run, seen) && valid;
  };
}

/** Compiles `prefixItems` (2020-12). */
export function prefixItemsRule(schema: JsonObject, builder: Builder): Check {
  return firstRule('prefixItems', schema, builder);
}

/** Compiles `items` (2020-12). */
export function itemsRule(schema: JsonObject, builder: Builder): Check {
  return restRule({ keyword: 'items', start: listIn(schema, 'prefixItems').length }, schema, builder);
}

/** Compiles a list with one schema for each of the first items. */
function firstRule(keyword: string, schema: JsonObject, builder: Builder): Check {
  const nodes = listIn(schema, keyword).map((item, index) =>
    builder.node(isSchema(item) ? item : true, keyword, index),
  );
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    const end = Math.min(nodes.length, value.length);
    for (let index = 0; index < end; index++) {
      const node = nodes[index];
      if (!node || run.below(node, value[index], index)) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    seen?.itemsUpTo(end);
    return valid;
  };
}

/** Compiles one schema for all items from an index on. */
function restRule(rest: { keyword: string; start: number }, schema: JsonObject, builder: Builder): Check {
  const { keyword, start } = rest;
  const given = schemaIn(schema, keyword);
  if (given === undefined) return () => true;
  const node = builder.node(given, keyword);
  const site = builder.site(keyword);
  return (value, run, seen) => {
    if (!Array.isArray(value) || value.length <= start) return true;
    seen?.itemsUpTo(value.length);
    if (given === false) return run.fail(site, () => `must NOT have more than ${start} items`);
    return checkItems(node, { items: value, start }, run);
  };
}

function checkItems(
  node: SchemaNode,
  { items, start }: { readonly items: readonly unknown[]; readonly start: number },
  run: Run,
): boolean {
  run.spend(items.length);
  let valid = true;
  for (let index = start; index < items.length; index++) {
    if (run.below(node, items[index], index)) continue;
    valid = false;
    if (run.isProbing()) break;
  }
  return valid;
}

/**
 * Returns the rule for `contains` with `minContains` and `maxContains`. Since 2020-12, the matching items
 * count as evaluated.
 */
export function containsRule(features: { readonly counts: boolean; readonly looks: boolean }) {
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const given = schemaIn(schema, 'contains');
    if (given === undefined) return undefined;
    const node = builder.node(given, 'contains');
    const least = (features.counts ? numberIn(schema, 'minContains') : undefined) ?? 1;
    const most = (features.counts ? numberIn(schema, 'maxContains') : undefined) ?? Infinity;
    const [few, many] = [builder.site(least === 1 ? 'contains' : 'minContains'), builder.site('maxContains')];
    return (value, run, seen) => {
      if (!Array.isArray(value)) return true;
      const enough = most === Infinity && !(features.looks && seen) ? least : Infinity;
      const found = countItems({ node, enough }, value, { run, seen: features.looks ? seen : undefined });
      if (found < least) return run.fail(few, () => `must contain at least ${least} valid item(s)`);
      return found <= most || run.fail(many, () => `must contain at most ${most} valid item(s)`);
    };
  };
}

function countItems(
  { node, enough }: { readonly node: SchemaNode; readonly enough: number },
  items: readonly unknown[],
  { run, seen }: { readonly run: Run; readonly seen: Seen | undefined },
): number {
  let found = 0;
  for (let index = 0; index < items.length && found < enough; index++) {
    if (!run.probeBelow(node, items[index], index)) continue;
    found += 1;
    seen?.item(index);
  }
  return found;
}

/** Compiles `unevaluatedItems`, which is the last check of its schema. */
export function unevaluatedItemsRule(schema: JsonObject, builder: Builder): Check | undefined {
  const given = schemaIn(schema, 'unevaluatedItems');
  if (given === undefined) return undefined;
  const node = builder.node(given, 'unevaluatedItems');
  const site = builder.site('unevaluatedItems');
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    run.spend(value.length);
    const wrong = value.filter(
      (item, index) => seen?.hasItem(index) !== true && !checkUnevaluated(node, { item, index, run }, site),
    );
    seen?.itemsUpTo(value.length);
    return wrong.length === 0;
  };
}

function checkUnevaluated(
  node: SchemaNode,
  { item, index, run }: { readonly item: unknown; readonly index: number; readonly run: Run },
  site: ErrorSource,
): boolean {
  if (node.schema !== false) return run.below(node, item, index);
  return run.fail(site, () => `must NOT have unevaluated items: item ${index}`, String(index));
}
