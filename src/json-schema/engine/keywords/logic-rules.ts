import type { JsonObject } from '../../../core/json-object.js';
import type { Builder, Check, Run, SchemaNode, Seen } from '../model.js';
import { isSchema, listIn, schemaIn } from './read-keyword.js';

/** Compiles `allOf`. */
export function allOfRule(schema: JsonObject, builder: Builder): Check {
  const branches = branchesOf('allOf', schema, builder);
  return (value, run, seen) => {
    let valid = true;
    for (const branch of branches) {
      if (run.apply(branch, value, seen)) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    return valid;
  };
}

/** Compiles `anyOf`. If all branches fail, the errors of each branch are reported. */
export function anyOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const branches = branchesOf('anyOf', schema, builder);
  const site = builder.site('anyOf');
  return (value, run, seen) => {
    if (matches(branches, { value, run, seen }, seen ? branches.length : 1) > 0) return true;
    reportBranches(branches, value, run);
    return run.fail(site, () => 'must match a schema in anyOf');
  };
}

/** Compiles `oneOf`. */
export function oneOfRule(schema: JsonObject, builder: Builder): Check | undefined {
  const branches = branchesOf('oneOf', schema, builder);
  const site = builder.site('oneOf');
  return (value, run, seen) => {
    const count = matches(branches, { value, run, seen }, 2);
    if (count === 1) return true;
    if (count === 0) reportBranches(branches, value, run);
    return run.fail(site, () => 'must match exactly one schema in oneOf');
  };
}

function branchesOf(keyword: string, schema: JsonObject, builder: Builder): readonly SchemaNode[] {
  return listIn(schema, keyword).flatMap((branch, index) =>
    isSchema(branch) ? [builder.node(branch, keyword, index)] : [],
  );
}

interface Subject {
  readonly value: unknown;
  readonly run: Run;
  readonly seen: Seen | undefined;
}

/** Counts the branches that accept the value. Stops after `enough` branches. */
function matches(branches: readonly SchemaNode[], { value, run, seen }: Subject, enough: number): number {
  let count = 0;
  for (const branch of branches) {
    const looked = seen?.branch();
    if (!run.probe(branch, value, looked)) continue;
    if (looked) seen?.add(looked);
    count += 1;
    if (count >= enough) break;
  }
  return count;
}

function reportBranches(branches: readonly SchemaNode[], value: unknown, run: Run): void {
  if (run.isProbing()) return;
  for (const branch of branches) run.apply(branch, value, undefined);
}

/** Compiles `not`. */
export function notRule(schema: JsonObject, builder: Builder): Check | undefined {
  const refused = schemaIn(schema, 'not');
  if (refused === undefined) return undefined;
  const node = builder.node(refused, 'not');
  const site = builder.site('not');
  return (value, run) => !run.probe(node, value, undefined) || run.fail(site, () => 'must NOT be valid');
}

/** Compiles `if`, `then` and `else`. */
export function ifRule(schema: JsonObject, builder: Builder): Check | undefined {
  const [condition, consequence, alternative] = ['if', 'then', 'else'].map((keyword) => {
    const given = schemaIn(schema, keyword);
    return given === undefined ? undefined : builder.node(given, keyword);
  });
  if (!condition) return undefined;
  return (value, run, seen) => {
    const looked = seen?.branch();
    const holds = run.probe(condition, value, looked);
    if (holds && looked) seen?.add(looked);
    const next = holds ? consequence : alternative;
    return !next || run.apply(next, value, seen);
  };
}
