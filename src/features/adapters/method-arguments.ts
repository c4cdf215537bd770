import type { AdapterMethod } from '../../core/adapter-method.js';
import { andMoreErrors, Problem, type RequestError } from '../../core/problem.js';
import type { CompileSchema, JsonSchema, Validator } from '../../core/schema.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the arguments of a call by name, with the defaults of the schema. The body has one member for each argument, or only
 * `args` with the arguments in their order. A null for an optional parameter counts as absent, because workflows send it so.
 * Throws `invalid_request` with all errors.
 */
export function methodArguments(method: AdapterMethod, body: Arguments, compile: CompileSchema): Arguments {
  const names = parameterNames(method);
  const list = argumentList(body, names);
  if (list && list.length > names.length) throw argumentsProblem(method, [excessError(list, names)]);
  const named = list ? Object.fromEntries(list.map((value, at) => [names[at] ?? '', value])) : body;
  const args = withoutNulls(named, method.input);
  const errors = validatorOf(
    method,
    compile,
  )(args).violations.map(({ pointer, message }) => ({
    pointer: list ? listPointer(pointer, names) : pointer,
    message,
  }));
  const [first, ...others] = errors;
  if (first) throw argumentsProblem(method, [first, ...others]);
  return args;
}

/** Compiles the schema of the arguments. Throws `plugin_failed` for a schema that cannot be used. */
function validatorOf({ name, input }: AdapterMethod, compile: CompileSchema): Validator {
  try {
    return compile(input);
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    const detail = `the schema of the arguments of the method "${name}" cannot be used${reason}`;
    const advice =
      'Ask the operator to correct the schema where the adapter lists its methods (pronghorn.json).';
    throw new Problem('plugin_failed', detail, { cause, advice });
  }
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

function withoutNulls(args: Arguments, { required }: JsonSchema): Arguments {
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || needed.includes(name)),
  );
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
