import type { AdapterMethod } from '../../core/adapter-method.js';
import { andMoreErrors, Problem, type RequestError } from '../../core/problem.js';
import type { SchemaValidator } from '../../core/schema-engine.js';
import type { JsonSchema } from '../../core/schema.js';
import { compileSchema } from '../../json-schema/engine/index.js';
import { isJsonObject, objectOf } from '../../json/json-object.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the arguments of a call by name, with the defaults of the schema. The body has one member for each argument, or only
 * `args` with the arguments in their order. A null for an optional parameter counts as absent, because workflows send it so.
 * Throws `invalid_request` with all errors.
 */
export function methodArguments(method: AdapterMethod, body: Arguments): Arguments {
  const names = parameterNames(method);
  const list = argumentList(body, names);
  if (list && list.length > names.length) throw argumentsProblem(method, [excessError(list, names)]);
  const named = list ? Object.fromEntries(list.map((value, at) => [names[at] ?? '', value])) : body;
  const args = withDefaults(withoutNulls(named, method.input), method.input);
  const { outcome, errors: found } = validatorOf(method).validate(args);
  if (outcome === 'out of fuel') throw argumentsProblem(method, [TOO_LARGE]);
  const errors = found.map(({ instancePath, keyword, message, about }) => {
    const pointer = about === undefined ? instancePath : pointerTo(instancePath, about);
    return {
      pointer: list ? listPointer(pointer, names) : pointer,
      message: WORDS_OF_MEMBERS[keyword] ?? message,
    };
  });
  const [first, ...others] = errors.sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
  if (first) throw argumentsProblem(method, [first, ...others]);
  return args;
}

/** Messages about members, whose names the pointers of the errors contain. */
const WORDS_OF_MEMBERS: Readonly<Record<string, string>> = {
  required: 'is missing',
  dependentRequired: 'is missing: another argument needs it',
  additionalProperties: 'is not known here',
  unevaluatedProperties: 'is not known here',
};

const TOO_LARGE: RequestError = { pointer: '', message: 'are too large to be checked' };

/** Validators by the schema of the arguments, which is the same object while the methods of an adapter are unchanged. */
const validators = new WeakMap<JsonSchema, SchemaValidator>();

/** Compiles the schema of the arguments. Throws `plugin_failed` for a schema that cannot be used. */
function validatorOf({ name, input }: AdapterMethod): SchemaValidator {
  const known = validators.get(input);
  if (known) return known;
  const compiled = compileSchema(input, { formats: 'annotate' });
  if ('validator' in compiled) {
    validators.set(input, compiled.validator);
    return compiled.validator;
  }
  const [{ pointer, message } = { pointer: '', message: 'is invalid' }] = compiled.faults;
  const detail = `the schema of the arguments of the method "${name}" cannot be used: ${pointer} ${message}`;
  const advice =
    'Ask the operator to correct the schema where the adapter lists its methods (pronghorn.json).';
  throw new Problem('plugin_failed', detail, { advice });
}

function parameterNames({ input }: AdapterMethod): readonly string[] {
  return Object.keys(input['properties'] ?? {});
}

/** Returns the arguments of a body `{"args": [...]}`; `undefined` for arguments by name. */
function argumentList(body: Arguments, names: readonly string[]): readonly unknown[] | undefined {
  const { args } = body;
  const isList = Array.isArray(args) && Object.keys(body).length === 1 && !names.includes('args');
  return isList ? (args as readonly unknown[]) : undefined;
}

/** Leaves out each null of an optional parameter, unless null is one of its values. */
function withoutNulls(args: Arguments, { required, properties }: JsonSchema): Arguments {
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => value !== null || needed.includes(name) || admitsNull(objectOf(properties)[name]),
    ),
  );
}

function admitsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, anyOf } = schema;
  return [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some(admitsNull));
}

/** Adds the defaults of the parameters that are absent. */
function withDefaults(args: Arguments, { properties }: JsonSchema): Arguments {
  const presets = Object.entries(objectOf(properties)).flatMap(([name, schema]) =>
    isJsonObject(schema) && 'default' in schema && !Object.hasOwn(args, name)
      ? [[name, schema['default']] as const]
      : [],
  );
  return presets.length === 0 ? args : { ...args, ...Object.fromEntries(presets) };
}

/** Returns the pointer to an argument in `args` for a pointer to the argument by name. */
function listPointer(pointer: string, names: readonly string[]): string {
  const [name, ...below] = pointerTokens(pointer);
  if (name === undefined || !names.includes(name)) return '/args';
  return below.reduce(pointerTo, `/args/${names.indexOf(name)}`);
}

function excessError(list: readonly unknown[], names: readonly string[]): RequestError {
  const parameters = names.length === 0 ? 'no parameters' : `only the parameters ${names.join(', ')}`;
  return {
    pointer: `/args/${names.length}`,
    message: `is one of ${list.length} arguments, but the method has ${parameters}`,
  };
}

/** Creates the Problem of invalid arguments. Its detail names the first error, for clients that show only the detail. */
function argumentsProblem(
  { name }: AdapterMethod,
  errors: readonly [RequestError, ...RequestError[]],
): Problem {
  const [{ pointer, message }, ...others] = errors;
  const more = andMoreErrors(others.length);
  return new Problem(
    'invalid_request',
    `the method "${name}" cannot be called: ${pointer} ${message}${more}`,
    { errors },
  );
}
