import { type JsonObject, memberOf } from '../../../core/json-object.js';
import { type Builder, type Check, type Run } from '../model.js';
import { isEqual } from '../values/equality.js';
import { isOfType } from '../values/json-type.js';
import { type Meter, meterOf } from '../values/cost-budget.js';
import { ValueSet } from '../values/value-set.js';
import { quoted, textIn, textsOf } from './read-keyword.js';
import { matches } from './member-rules.js';

/** Compiles `type`. */
export function typeRule(schema: JsonObject, builder: Builder): Check | undefined {
  const one = textIn(schema, 'type');
  const types = one === undefined ? textsOf(schema['type']) : [one];
  if (types.length === 0) return undefined;
  const site = builder.site('type');
  return (value, run) => {
    for (const type of types) if (isOfType(value, type)) return true;
    return run.fail(site, () => `must be ${types.join(', ')}`);
  };
}

/** Compiles `enum`. An empty list accepts nothing. */
export function enumRule(schema: JsonObject, builder: Builder): Check | undefined {
  const allowed = memberOf(schema, 'enum');
  if (!Array.isArray(allowed)) return undefined;
  const known = new ValueSet();
  for (const one of allowed) known.add(one, FREE);
  const site = builder.site('enum');
  return (value, run) =>
    known.has(value, meterFor(run)) || run.fail(site, () => 'must be equal to one of the allowed values');
}

/** Compiles `const`. */
export function constRule(schema: JsonObject, builder: Builder): Check {
  const wanted = memberOf(schema, 'const');
  const site = builder.site('const');
  return (value, run) =>
    isEqual(value, wanted, meterFor(run)) || run.fail(site, () => 'must be equal to constant');
}

/** Meter without cost for values of the schema, which has separate limits while it is compiled. */
const FREE = meterOf(() => undefined);

function meterFor(run: Run): Meter {
  return meterOf((steps) => {
    run.spend(steps);
  });
}

/** Compiles `pattern`. */
export function patternRule(schema: JsonObject, builder: Builder): Check | undefined {
  const source = textIn(schema, 'pattern');
  const pattern = source === undefined ? undefined : builder.pattern(source, 'pattern');
  if (!pattern) return undefined;
  const site = builder.site('pattern');
  return (value, run) =>
    typeof value !== 'string' ||
    matches(pattern, value, run) ||
    run.fail(site, () => `must match pattern ${quoted(source ?? '')}`);
}
