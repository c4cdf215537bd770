import { type JsonObject, memberOf } from '../../../json/json-object.js';
import {
  type Builder,
  type Check,
  type Run,
  type SchemaNode,
  type Evaluated,
  type ErrorSource,
} from '../model.js';
import { isSchema, listIn, numberIn, schemaIn } from './read-keyword.js';

/** Compiles `items` and `additionalItems` of drafts up to 2019-09. */
export function itemsBefore2020Rule(schema: JsonObject, builder: Builder): Check {
  if (!Array.isArray(memberOf(schema, 'items')))
    return remainingItemsRule({ keyword: 'items', start: 0 }, schema, builder);
  const leading = leadingItemsRule('items', schema, builder);
  const start = listIn(schema, 'items').length;
  const remaining = remainingItemsRule({ keyword: 'additionalItems', start }, schema, builder);
  return (value, run, evaluated) => {
    const valid = leading(value, run, evaluated);
    return (valid || !run.isProbing()) && remaining(value, run, evaluated) && valid;
  };
}

/** Compiles `prefixItems` (2020-12). */
export function prefixItemsRule(schema: JsonObject, builder: Builder): Check {
  return leadingItemsRule('prefixItems', schema, builder);
}

/** Compiles `items` (2020-12). */
export function itemsRule(schema: JsonObject, builder: Builder): Check {
  return remainingItemsRule(
    { keyword: 'items', start: listIn(schema, 'prefixItems').length },
    schema,
    builder,
  );
}

/** Compiles a keyword with a list of schemas, one for each leading item. */
function leadingItemsRule(keyword: string, schema: JsonObject, builder: Builder): Check {
  const nodes = listIn(schema, keyword).map((item, index) =>
    builder.node(isSchema(item) ? item : true, keyword, index),
  );
  return (value, run, evaluated) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    const end = Math.min(nodes.length, value.length);
    for (let index = 0; index < end; index++) {
      const node = nodes[index];
      if (!node || run.applyBelow(node, value[index], index)) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    evaluated?.addItemsBefore(end);
    return valid;
  };
}

/** Compiles a keyword with one schema for all items from an index on. */
function remainingItemsRule(
  { keyword, start }: { keyword: string; start: number },
  schema: JsonObject,
  builder: Builder,
): Check {
  const subschema = schemaIn(schema, keyword);
  if (subschema === undefined) return () => true;
  const node = builder.node(subschema, keyword);
  const source = builder.errorSource(keyword);
  return (value, run, evaluated) => {
    if (!Array.isArray(value) || value.length <= start) return true;
    evaluated?.addItemsBefore(value.length);
    if (subschema === false) return run.fail(source, () => `must NOT have more than ${start} items`);
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
    if (run.applyBelow(node, items[index], index)) continue;
    valid = false;
    if (run.isProbing()) break;
  }
  return valid;
}

/**
 * Returns the rule for `contains`. Since 2019-09, `minContains` and `maxContains` limit the number of
 * matching items. Since 2020-12, the matching items count as evaluated.
 */
export function containsRule(options: { readonly hasLimits: boolean; readonly evaluatesItems: boolean }) {
  return (schema: JsonObject, builder: Builder): Check | undefined => {
    const subschema = schemaIn(schema, 'contains');
    if (subschema === undefined) return undefined;
    const node = builder.node(subschema, 'contains');
    const minContains = Number((options.hasLimits ? numberIn(schema, 'minContains') : undefined) ?? 1);
    const maxContains = (options.hasLimits ? numberIn(schema, 'maxContains') : undefined) ?? Infinity;
    const [minSource, maxSource] = [
      builder.errorSource(minContains === 1 ? 'contains' : 'minContains'),
      builder.errorSource('maxContains'),
    ];
    return (value, run, evaluated) => {
      if (!Array.isArray(value)) return true;
      const limit =
        maxContains === Infinity && !(options.evaluatesItems && evaluated) ? minContains : Infinity;
      const count = countItems({ node, limit }, value, {
        run,
        evaluated: options.evaluatesItems ? evaluated : undefined,
      });
      if (count < minContains)
        return run.fail(minSource, () => `must contain at least ${minContains} valid item(s)`);
      return (
        count <= maxContains || run.fail(maxSource, () => `must contain at most ${maxContains} valid item(s)`)
      );
    };
  };
}

/** Counts the items that match the node's schema. Stops at `limit` matches. */
function countItems(
  { node, limit }: { readonly node: SchemaNode; readonly limit: number },
  items: readonly unknown[],
  { run, evaluated }: { readonly run: Run; readonly evaluated: Evaluated | undefined },
): number {
  let count = 0;
  for (let index = 0; index < items.length && count < limit; index++) {
    if (!run.probeBelow(node, items[index], index)) continue;
    count += 1;
    evaluated?.addItem(index);
  }
  return count;
}

/** Compiles `unevaluatedItems`. This check runs after the other checks of its schema. */
export function unevaluatedItemsRule(schema: JsonObject, builder: Builder): Check | undefined {
  const subschema = schemaIn(schema, 'unevaluatedItems');
  if (subschema === undefined) return undefined;
  const node = builder.node(subschema, 'unevaluatedItems');
  const source = builder.errorSource('unevaluatedItems');
  return (value, run, evaluated) => {
    if (!Array.isArray(value)) return true;
    run.spend(value.length);
    const invalid = value.filter(
      (item, index) =>
        evaluated?.hasItem(index) !== true && !checkUnevaluated(node, { item, index, run }, source),
    );
    evaluated?.addItemsBefore(value.length);
    return invalid.length === 0;
  };
}

function checkUnevaluated(
  node: SchemaNode,
  { item, index, run }: { readonly item: unknown; readonly index: number; readonly run: Run },
  source: ErrorSource,
): boolean {
  if (node.schema !== false) return run.applyBelow(node, item, index);
  return run.fail(source, () => `must NOT have unevaluated items: item ${index}`, String(index));
}
