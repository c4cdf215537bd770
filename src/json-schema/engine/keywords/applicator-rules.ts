import type { JsonObject } from '../../../json/json-object.js';
import type { Builder, Check, Run, SchemaNode, Evaluated } from '../model.js';
import { isSchema, listIn, schemaIn, textIn } from './read-keyword.js';

/** Compiles `allOf`. */
export function allOfRule(schema: JsonObject, builder: Builder): Check {
  const branches = branchesOf('allOf', schema, builder);
  return (value, run, evaluated) => {
    let valid = true;
    for (const branch of branches) {
      if (run.apply(branch, value, evaluated)) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    return valid;
  };
}

/** Compiles `anyOf`. If no branch accepts the value, the errors of all branches are reported. */
export function anyOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const branches = branchesOf('anyOf', schema, builder);
  const source = builder.errorSource('anyOf');
  return (value, run, evaluated) => {
    if (countMatches(branches, { value, run, evaluated }, evaluated ? branches.length : 1) > 0) return true;
    reportBranches(branches, value, run);
    return run.fail(source, () => 'must match a schema in anyOf');
  };
}

/** Compiles `oneOf`. If no branch accepts the value, the errors of all branches are reported. */
export function oneOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const branches = branchesOf('oneOf', schema, builder);
  const source = builder.errorSource('oneOf');
  return (value, run, evaluated) => {
    const count = countMatches(branches, { value, run, evaluated }, 2);
    if (count === 1) return true;
    if (count === 0) reportBranches(branches, value, run);
    return run.fail(source, () => 'must match exactly one schema in oneOf');
  };
}

function branchesOf(keyword: string, schema: JsonObject, builder: Builder): readonly SchemaNode[] {
  return listIn(schema, keyword).flatMap((branch, index) =>
    isSchema(branch) ? [builder.node(branch, keyword, index)] : [],
  );
}

interface BranchContext {
  readonly value: unknown;
  readonly run: Run;
  readonly evaluated: Evaluated | undefined;
}

/** Counts the branches that accept the value. Stops at `limit` branches. */
function countMatches(
  branches: readonly SchemaNode[],
  { value, run, evaluated }: BranchContext,
  limit: number,
): number {
  let count = 0;
  for (const branch of branches) {
    const branchEvaluated = evaluated?.branch();
    if (!run.probe(branch, value, branchEvaluated)) continue;
    if (branchEvaluated) evaluated?.addAll(branchEvaluated);
    count += 1;
    if (count >= limit) break;
  }
  return count;
}

function reportBranches(branches: readonly SchemaNode[], value: unknown, run: Run): void {
  if (run.isProbing()) return;
  for (const branch of branches) run.apply(branch, value, undefined);
}

/** Compiles `not`, whose message is the annotation `x-hint` beside it. The YANG compiler writes one. */
export function notRule(schema: JsonObject, builder: Builder): Check | undefined {
  const negated = schemaIn(schema, 'not');
  if (negated === undefined) return undefined;
  const node = builder.node(negated, 'not');
  const source = builder.errorSource('not');
  const hint = textIn(schema, 'x-hint') ?? 'must NOT be valid';
  return (value, run) => !run.probe(node, value, undefined) || run.fail(source, () => hint);
}

/** Compiles `if`, `then` and `else`. */
export function ifRule(schema: JsonObject, builder: Builder): Check | undefined {
  const [condition, consequence, alternative] = ['if', 'then', 'else'].map((keyword) => {
    const subschema = schemaIn(schema, keyword);
    return subschema === undefined ? undefined : builder.node(subschema, keyword);
  });
  if (!condition) return undefined;
  return (value, run, evaluated) => {
    const branchEvaluated = evaluated?.branch();
    const isTrue = run.probe(condition, value, branchEvaluated);
    if (isTrue && branchEvaluated) evaluated?.addAll(branchEvaluated);
    const branch = isTrue ? consequence : alternative;
    return !branch || run.apply(branch, value, evaluated);
  };
}

/** Compiles `$ref`. */
export function refRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$ref');
  const target = reference === undefined ? undefined : builder.resolveReference('$ref', reference);
  return target && ((value, run, evaluated) => run.apply(target, value, evaluated));
}

/**
 * Compiles `$dynamicRef` (2020-12). The outermost schema resource in the dynamic scope with the same
 * `$dynamicAnchor` overrides the target.
 */
export function dynamicRefRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$dynamicRef');
  const target = reference === undefined ? undefined : builder.resolveReference('$dynamicRef', reference);
  const anchor = /#([^/].*)$/s.exec(reference ?? '')?.[1];
  if (!target || anchor === undefined || target.resource.dynamicAnchors.get(anchor) !== target)
    return target && ((value, run, evaluated) => run.apply(target, value, evaluated));
  builder.compileDynamicAnchor(anchor);
  return (value, run, evaluated) => run.apply(run.resolveDynamicAnchor(anchor) ?? target, value, evaluated);
}

/**
 * Compiles `$recursiveRef` (2019-09), a dynamic reference to the root of a schema resource. The outermost
 * root with `$recursiveAnchor` overrides the target.
 */
export function recursiveRefRule(schema: JsonObject, builder: Builder): Check | undefined {
  const reference = textIn(schema, '$recursiveRef');
  const target = reference === undefined ? undefined : builder.resolveReference('$recursiveRef', reference);
  if (!target?.resource.dynamicAnchors.has(''))
    return target && ((value, run, evaluated) => run.apply(target, value, evaluated));
  builder.compileDynamicAnchor('');
  return (value, run, evaluated) => run.apply(run.resolveDynamicAnchor('') ?? target, value, evaluated);
}
