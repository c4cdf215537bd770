import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';
import type { Builder, Check, ErrorSource, Pattern, Run, SchemaNode, Evaluated } from '../model.js';
import { isSchema, membersIn, quoted, schemaIn, truncate, textsOf } from './read-keyword.js';

interface Members {
  readonly byName: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly (readonly [Pattern, SchemaNode])[];
  /** Schema of the members without an entry in `properties` or `patternProperties`. */
  readonly additional: SchemaNode | undefined;
  readonly source: ErrorSource;
}

/**
 * Compiles `properties`, `patternProperties` and `additionalProperties` into one check, which visits each
 * member once.
 */
export function membersRule(schema: JsonObject, builder: Builder): Check {
  const additional = schemaIn(schema, 'additionalProperties');
  const members: Members = {
    byName: propertyNodes(schema, builder),
    patterns: patternNodes(schema, builder),
    additional: additional === undefined ? undefined : builder.node(additional, 'additionalProperties'),
    source: builder.errorSource('additionalProperties'),
  };
  const { byName } = members;
  const hasPatterns = members.patterns.length > 0;
  return (value, run, evaluated) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    const names = Object.keys(value);
    run.spend(names.length);
    for (const name of names) {
      // Most members have an entry in `properties`, and nothing else applies to them.
      const property = hasPatterns || evaluated ? undefined : byName.get(name);
      const isValid = property
        ? run.applyBelow(property, value[name], name)
        : checkMember(members, { name, value: value[name], run, evaluated });
      if (isValid) continue;
      valid = false;
      if (run.isProbing()) break;
    }
    return valid;
  };
}

function propertyNodes(schema: JsonObject, builder: Builder): ReadonlyMap<string, SchemaNode> {
  const byName = new Map<string, SchemaNode>();
  for (const [name, member] of membersIn(schema, 'properties'))
    if (isSchema(member)) byName.set(name, builder.node(member, 'properties', name));
  return byName;
}

function patternNodes(schema: JsonObject, builder: Builder): Members['patterns'] {
  return membersIn(schema, 'patternProperties').flatMap(([regex, member]) => {
    const pattern = isSchema(member) ? builder.pattern(regex, 'patternProperties', regex) : undefined;
    return pattern ? [[pattern, builder.node(member, 'patternProperties', regex)] as const] : [];
  });
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly run: Run;
  readonly evaluated: Evaluated | undefined;
}

function checkMember(members: Members, { name, value, run, evaluated }: Member): boolean {
  const property = members.byName.get(name);
  let valid = !property || run.applyBelow(property, value, name);
  let isEvaluated = property !== undefined;
  for (const [pattern, node] of members.patterns) {
    if (!matchesPattern(pattern, name, run)) continue;
    isEvaluated = true;
    valid = run.applyBelow(node, value, name) && valid;
  }
  if (!isEvaluated && members.additional) {
    isEvaluated = true;
    valid = checkRemainingMember(members.additional, { name, value, run, evaluated }, members.source);
  }
  if (isEvaluated) evaluated?.addName(name);
  return valid;
}

/** Checks an additional or unevaluated member. A forbidden member is an error of the object. */
function checkRemainingMember(node: SchemaNode, { name, value, run }: Member, source: ErrorSource): boolean {
  if (node.schema !== false) return run.applyBelow(node, value, name);
  const kind = source.keyword === 'additionalProperties' ? 'additional' : 'unevaluated';
  return run.fail(source, () => `must NOT have ${kind} properties: ${quoted(name)}`, name);
}

/** Returns true if a pattern matches a text. The cost is the product of their sizes. */
export function matchesPattern(pattern: Pattern, text: string, run: Run): boolean {
  // A bit shift would turn a large product into a negative number.
  run.spend(1 + Math.floor((text.length * pattern.size) / 32));
  return pattern.test(text);
}

/** Compiles `propertyNames`. */
export function propertyNamesRule(schema: JsonObject, builder: Builder): Check | undefined {
  const subschema = schemaIn(schema, 'propertyNames');
  if (subschema === undefined) return undefined;
  const node = builder.node(subschema, 'propertyNames');
  const source = builder.errorSource('propertyNames');
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    const invalid = Object.keys(value).filter((name) => !run.probe(node, name, undefined));
    for (const name of invalid)
      run.fail(source, () => `must have valid property names: ${quoted(name)} is none`, name);
    return invalid.length === 0;
  };
}

/** Compiles `unevaluatedProperties`. This check runs after the other checks of its schema. */
export function unevaluatedPropertiesRule(schema: JsonObject, builder: Builder): Check | undefined {
  const subschema = schemaIn(schema, 'unevaluatedProperties');
  if (subschema === undefined) return undefined;
  const node = builder.node(subschema, 'unevaluatedProperties');
  const source = builder.errorSource('unevaluatedProperties');
  return (value, run, evaluated) => {
    if (!isJsonObject(value)) return true;
    const names = Object.keys(value);
    run.spend(names.length);
    const remaining = names.filter((name) => evaluated?.hasName(name) !== true);
    const invalid = remaining.filter(
      (name) => !checkRemainingMember(node, { name, value: memberOf(value, name), run, evaluated }, source),
    );
    evaluated?.addAllNames();
    return invalid.length === 0;
  };
}

/** Compiles `required`. */
export function requiredRule(schema: JsonObject, builder: Builder): Check | undefined {
  const names = textsOf(schema['required']);
  if (names.length === 0) return undefined;
  const source = builder.errorSource('required');
  return (value, run) => !isJsonObject(value) || checkRequired(names, value, { run, source });
}

interface RequiredContext {
  readonly run: Run;
  readonly source: ErrorSource;
  /** Member whose presence requires the members. */
  readonly dependentOn?: string;
}

function checkRequired(
  names: readonly string[],
  value: JsonObject,
  { run, source, dependentOn }: RequiredContext,
): boolean {
  run.spend(names.length >> 2);
  let valid = true;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    const condition = dependentOn === undefined ? '' : ` when property ${quoted(dependentOn)} is present`;
    valid = run.fail(source, () => `must have required property '${truncate(name)}'${condition}`, name);
  }
  return valid;
}

/** Requirement for an object with a certain member: other members, or a schema for the object. */
interface Dependency {
  readonly name: string;
  readonly required: readonly string[];
  readonly node: SchemaNode | undefined;
}

/**
 * Returns the rule for `dependentRequired`, `dependentSchemas`, or `dependencies`, which combines the two.
 */
export function dependencyRule(keyword: string) {
  return (schema: JsonObject, builder: Builder): Check => {
    const source = builder.errorSource(keyword);
    const dependencies = membersIn(schema, keyword).map(([name, requirement]): Dependency => {
      const node = isSchema(requirement) ? builder.node(requirement, keyword, name) : undefined;
      return { name, required: textsOf(requirement), node };
    });
    return (value, run, evaluated) => {
      if (!isJsonObject(value)) return true;
      run.spend(dependencies.length);
      const invalid = dependencies.filter(({ name, required, node }) => {
        if (!Object.hasOwn(value, name)) return false;
        const hasRequired = checkRequired(required, value, { run, source, dependentOn: name });
        return !(node === undefined || run.apply(node, value, evaluated)) || !hasRequired;
      });
      return invalid.length === 0;
    };
  };
}
