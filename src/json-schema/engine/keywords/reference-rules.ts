import type { JsonObject } from '../../../core/json-object.js';
import type { Builder, Check } from '../model.js';
import { textIn } from './read-keyword.js';

/** Compiles `$ref`. */
export function refRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$ref');
  const target = reference === undefined ? undefined : builder.refer('$ref', reference);
  return target && ((value, run, seen) => run.apply(target, value, seen));
}

/**
 * Compiles `$dynamicRef` (2020-12). Its target may be replaced by an outer schema with the same
 * `$dynamicAnchor`.
 */
export function dynamicRefRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$dynamicRef');
  const target = reference === undefined ? undefined : builder.refer('$dynamicRef', reference);
  const anchor = /#([^/].*)$/s.exec(reference ?? '')?.[1];
  if (!target || anchor === undefined || target.resource.dynamicAnchors.get(anchor) !== target)
    return target && ((value, run, seen) => run.apply(target, value, seen));
  builder.expect(anchor);
  return (value, run, seen) => run.apply(run.outermost(anchor) ?? target, value, seen);
}

/**
 * Compiles `$recursiveRef` (2019-09): a dynamic reference to the root, among roots with `$recursiveAnchor`.
 */
export function recursiveRefRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$recursiveRef');
  const target = reference === undefined ? undefined : builder.refer('$recursiveRef', reference);
  if (!target?.resource.dynamicAnchors.has(''))
    return target && ((value, run, seen) => run.apply(target, value, seen));
  builder.expect('');
  return (value, run, seen) => run.apply(run.outermost('') ?? target, value, seen);
}
