import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';
import type { Formats } from '../formats/formats.js';
import type { Builder, Check, Rule, Run } from '../model.js';
import { isEqual, type Meter, meterOf, ValueSet } from './json-equality.js';
import { matchesPattern } from './object-rules.js';
import { isJsonNumber, quoted, textIn, textsOf } from './read-keyword.js';

/** Compiles `type`. */
export function typeRule(schema: JsonObject, builder: Builder): Check | undefined {
  const single = textIn(schema, 'type');
  const types = single === undefined ? textsOf(schema['type']) : [single];
  if (types.length === 0) return undefined;
  const source = builder.errorSource('type');
  return (value, run) => {
    for (const type of types) if (isOfType(value, type)) return true;
    return run.fail(source, () => `must be ${types.join(', ')}`);
  };
}

/** Returns true if a value has a JSON type. A number without a fractional part is also an `integer`. */
function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return isJsonNumber(value);
    default:
      return typeof value === type;
  }
}

/** Compiles `enum`. An empty list accepts no value. */
export function enumRule(schema: JsonObject, builder: Builder): Check | undefined {
  const allowed = memberOf(schema, 'enum');
  if (!Array.isArray(allowed)) return undefined;
  const allowedValues = new ValueSet();
  const meter = meterOf(builder.spend);
  for (const constant of allowed) allowedValues.add(constant, meter);
  const source = builder.errorSource('enum');
  return (value, run) =>
    allowedValues.has(value, meterOfRun(run)) ||
    run.fail(source, () => 'must be equal to one of the allowed values');
}

/** Compiles `const`. */
export function constRule(schema: JsonObject, builder: Builder): Check {
  const constant = memberOf(schema, 'const');
  const source = builder.errorSource('const');
  return (value, run) =>
    isEqual(value, constant, meterOfRun(run)) || run.fail(source, () => 'must be equal to constant');
}

function meterOfRun(run: Run): Meter {
  return meterOf((steps) => {
    run.spend(steps);
  });
}

/** Compiles `pattern`. */
export function patternRule(schema: JsonObject, builder: Builder): Check | undefined {
  const regex = textIn(schema, 'pattern');
  const pattern = regex === undefined ? undefined : builder.pattern(regex, 'pattern');
  if (!pattern) return undefined;
  const source = builder.errorSource('pattern');
  return (value, run) =>
    typeof value !== 'string' ||
    matchesPattern(pattern, value, run) ||
    run.fail(source, () => `must match pattern ${quoted(regex ?? '')}`);
}

/** Returns the rule for `format`. The rule checks nothing if `format` is an annotation or unknown. */
export function formatRule(formats: Formats): Rule {
  return (schema, builder) => compileFormat(formats, schema, builder);
}

function compileFormat(formats: Formats, schema: JsonObject, builder: Builder): Check | undefined {
  const name = textIn(schema, 'format');
  const accepts = name === undefined || builder.formats === 'annotate' ? undefined : formats.get(name);
  if (!accepts) return undefined;
  const source = builder.errorSource('format');
  return (value, run) => {
    if (typeof value !== 'string') return true;
    run.spend(value.length >> 3);
    return accepts(value) || run.fail(source, () => `must match format ${quoted(name ?? '')}`);
  };
}
