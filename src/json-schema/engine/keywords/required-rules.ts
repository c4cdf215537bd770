import { isJsonObject, type JsonObject } from '../../../core/json-object.js';
import { type Builder, type Check, type Run, type SchemaNode, type ErrorSource } from '../model.js';
import { isSchema, membersIn, quoted, shown, textsOf } from './read-keyword.js';

/** Compiles `required`. */
export function requiredRule(schema: JsonObject, builder: Builder): Check | undefined {
  const names = textsOf(schema['required']);
  if (names.length === 0) return undefined;
  const site = builder.site('required');
  return (value, run) => !isJsonObject(value) || hasAll(names, value, { run, site });
}

interface Reporting {
  readonly run: Run;
  readonly site: ErrorSource;
  /** Member that requires the others. */
  readonly because?: string;
}

function hasAll(names: readonly string[], value: JsonObject, { run, site, because }: Reporting): boolean {
  run.spend(names.length >> 2);
  let valid = true;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    const condition = because === undefined ? '' : ` when property ${quoted(because)} is present`;
    valid = run.fail(site, () => `must have required property '${shown(name)}'${condition}`, name);
  }
  return valid;
}

/** Requirement of an object that has a certain member: other members, or a whole schema. */
interface Dependency {
  readonly name: string;
  readonly needs: readonly string[];
  readonly node: SchemaNode | undefined;
}

/** Returns the rule for `dependentRequired`, `dependentSchemas`, or `dependencies`, which combines both. */
export function dependencyRule(keyword: string) {
  return (schema: JsonObject, builder: Builder): Check => {
    const site = builder.site(keyword);
    const dependencies = membersIn(schema, keyword).map(([name, needed]): Dependency => {
      const node = isSchema(needed) ? builder.node(needed, keyword, name) : undefined;
      return { name, needs: textsOf(needed), node };
    });
    return (value, run, seen) => {
      if (!isJsonObject(value)) return true;
      run.spend(dependencies.length);
      const wrong = dependencies.filter(({ name, needs, node }) => {
        if (!Object.hasOwn(value, name)) return false;
        const complete = hasAll(needs, value, { run, site, because: name });
        return !(node === undefined || run.apply(node, value, seen)) || !complete;
      });
      return wrong.length === 0;
    };
  };
}
