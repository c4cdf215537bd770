import { isJsonObject, type JsonObject, memberOf } from '../../../core/json-object.js';
import {
  type Builder,
  type Check,
  type Pattern,
  type Run,
  type SchemaNode,
  type Seen,
  type ErrorSource,
} from '../model.js';
import { isSchema, membersIn, quoted, schemaIn } from './read-keyword.js';

/** Schemas for the members of an object. */
interface Members {
  readonly named: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly (readonly [Pattern, SchemaNode])[];
  /** Schema of the members that nothing else applies to. */
  readonly others: SchemaNode | undefined;
  readonly site: ErrorSource;
}

/**
 * Compiles `properties`, `patternProperties` and `additionalProperties`, which share one walk over the
 * members.
 */
export function membersRule(schema: JsonObject, builder: Builder): Check {
  const others = schemaIn(schema, 'additionalProperties');
  const members: Members = {
    named: namedIn(schema, builder),
    patterns: patternsIn(schema, builder),
    others: others === undefined ? undefined : builder.node(others, 'additionalProperties'),
    site: builder.site('additionalProperties'),
  };
  return (value, run, seen) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    const names = Object.keys(value);
    run.spend(names.length);
    for (const name of names) {
      if (checkMember(members, { name, value: value[name], run, seen })) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    return valid;
  };
}

function namedIn(schema: JsonObject, builder: Builder): ReadonlyMap<string, SchemaNode> {
  const named = new Map<string, SchemaNode>();
  for (const [name, member] of membersIn(schema, 'properties'))
    if (isSchema(member)) named.set(name, builder.node(member, 'properties', name));
  return named;
}

function patternsIn(schema: JsonObject, builder: Builder): Members['patterns'] {
  return membersIn(schema, 'patternProperties').flatMap(([source, member]) => {
    const pattern = isSchema(member) ? builder.pattern(source, 'patternProperties', source) : undefined;
    return pattern ? [[pattern, builder.node(member, 'patternProperties', source)] as const] : [];
  });
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly run: Run;
  readonly seen: Seen | undefined;
}

function checkMember(members: Members, { name, value, run, seen }: Member): boolean {
  const named = members.named.get(name);
  let valid = !named || run.below(named, value, name);
  let known = named !== undefined;
  for (const [pattern, node] of members.patterns) {
    if (!matches(pattern, name, run)) continue;
    known = true;
    valid = run.below(node, value, name) && valid;
  }
  if (!known && members.others) {
    known = true;
    valid = checkOther(members.others, { name, value, run, seen }, members.site);
  }
  if (known) seen?.name(name);
  return valid;
}

/** Checks a member that nothing else applies to. A forbidden member is an error of the object. */
function checkOther(node: SchemaNode, { name, value, run }: Member, site: ErrorSource): boolean {
  if (node.schema !== false) return run.below(node, value, name);
  const kind = site.keyword === 'additionalProperties' ? 'additional' : 'unevaluated';
  return run.fail(site, () => `must NOT have ${kind} properties: ${quoted(name)}`, name);
}

/** Returns true if a pattern matches a text. The cost depends on the length of both. */
export function matches(pattern: Pattern, text: string, run: Run): boolean {
  // Not a shift, which would turn a large product into a negative number.
  run.spend(1 + Math.floor((text.length * pattern.size) / 32));
  return pattern.test(text);
}

/** Compiles `propertyNames`. */
export function propertyNamesRule(schema: JsonObject, builder: Builder): Check | undefined {
  const given = schemaIn(schema, 'propertyNames');
  if (given === undefined) return undefined;
  const node = builder.node(given, 'propertyNames');
  const site = builder.site('propertyNames');
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    const wrong = Object.keys(value).filter((name) => !run.probe(node, name, undefined));
    for (const name of wrong)
      run.fail(site, () => `must have valid property names: ${quoted(name)} is none`, name);
    return wrong.length === 0;
  };
}

/** Compiles `unevaluatedProperties`, which is the last check of its schema. */
export function unevaluatedPropertiesRule(schema: JsonObject, builder: Builder): Check | undefined {
  const given = schemaIn(schema, 'unevaluatedProperties');
  if (given === undefined) return undefined;
  const node = builder.node(given, 'unevaluatedProperties');
  const site = builder.site('unevaluatedProperties');
  return (value, run, seen) => {
    if (!isJsonObject(value)) return true;
    const names = Object.keys(value);
    run.spend(names.length);
    const left = names.filter((name) => seen?.hasName(name) !== true);
    const wrong = left.filter(
      (name) => !checkOther(node, { name, value: memberOf(value, name), run, seen }, site),
    );
    seen?.allNames();
    return wrong.length === 0;
  };
}
