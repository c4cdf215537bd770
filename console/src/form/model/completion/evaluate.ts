import { isJsonObject, ownMember } from '../../../../../src/json/json-object.js';
import { valueAt } from '../../../../../src/json/pointer.js';
import { type Json, jsonFrom } from '../json/json.js';

/** The values that an expression may read. */
interface Scope {
  readonly document: unknown;
  /** The value around the calculated field: names without `/` are looked up here. */
  readonly around: unknown;
}

/** Maximum number of steps of an expression, so that a form of another person cannot stop the page. */
const MAX_STEPS = 10_000;

/** Maximum nesting of an expression. */
const MAX_DEPTH = 100;

const MAX_LENGTH = 10_000;

class Stopped extends Error {}

/**
 * Returns the value of an expression (JSON Logic): `{"*": [{"var": "ports"}, {"var": "/price"}]}`. Undefined if a value that
 * it needs is absent, if the result is no JSON value, or if it takes too many steps. Nothing but own members is read.
 */
export function evaluate(expression: unknown, scope: Scope): Json | undefined {
  let steps = 0;
  let depth = 0;
  const run = (logic: unknown, around: unknown): unknown => {
    steps += 1;
    depth += 1;
    if (steps > MAX_STEPS || depth > MAX_DEPTH) throw new Stopped();
    const value = valueOf(logic, around);
    depth -= 1;
    return value;
  };
  const valueOf = (logic: unknown, around: unknown): unknown => {
    if (Array.isArray(logic)) return logic.map((item) => run(item, around));
    if (!isJsonObject(logic)) return logic;
    const [operation, ...others] = Object.keys(logic);
    if (operation === undefined || others.length > 0) throw new Stopped();
    const written = logic[operation];
    const args: readonly unknown[] = Array.isArray(written) ? written : [written];
    const inner: Run = (arg, inside = around) => run(arg, inside);
    if (operation === 'var') return read(inner(args[0]), around) ?? inner(args[1]);
    const lazy = LAZY_OPERATIONS.get(operation);
    return lazy ? lazy(args, inner) : OPERATIONS.get(operation)?.(args.map((arg) => inner(arg)));
  };
  const read = (name: unknown, around: unknown): unknown => {
    if (typeof name !== 'string') return undefined;
    if (name.startsWith('/')) return valueAt(scope.document, name);
    return name === '' ? around : name.split('.').reduce<unknown>(ownMember, around);
  };
  try {
    return asJson(run(expression, scope.around));
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

/** Returns the value of an argument; `inside` is what its names are looked up in. */
type Run = (logic: unknown, inside?: unknown) => unknown;

/** Operations that do not need the values of all arguments, or need them for each entry of a list. */
const LAZY_OPERATIONS: ReadonlyMap<string, (args: readonly unknown[], run: Run) => unknown> = new Map([
  ['if', conditional],
  ['and', (args, run) => args.reduce<unknown>((last, arg) => (isTrue(last) ? run(arg) : last), true)],
  ['or', (args, run) => args.reduce<unknown>((last, arg) => (isTrue(last) ? last : run(arg)), false)],
  ['map', ([list, each], run) => listOf(run(list)).map((entry) => run(each, entry))],
  ['filter', ([list, test], run) => listOf(run(list)).filter((entry) => isTrue(run(test, entry)))],
  [
    'reduce',
    ([list, combine, first], run) =>
      listOf(run(list)).reduce<unknown>(
        (accumulator, current) => run(combine, { accumulator, current }),
        run(first),
      ),
  ],
]);

function conditional(args: readonly unknown[], run: Run): unknown {
  for (let at = 0; at + 1 < args.length; at += 2) if (isTrue(run(args[at]))) return run(args[at + 1]);
  return args.length % 2 === 1 ? run(args.at(-1)) : undefined;
}

type Operation = (args: readonly unknown[]) => unknown;

/** Returns an operation on numbers; lists among the arguments are their entries. */
function onNumbers(combine: (numbers: readonly number[]) => number): Operation {
  return (args) => {
    const numbers = args
      .flat()
      .map((arg) => (arg === undefined || arg === null || arg === '' ? Number.NaN : Number(arg)));
    return combine(numbers);
  };
}

function onPair(compare: (a: unknown, b: unknown) => boolean): Operation {
  return ([a, b]) => compare(a, b);
}

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['+', onNumbers((all) => all.reduce((sum, each) => sum + each, 0))],
  [
    '-',
    onNumbers(([first = 0, ...rest]) =>
      rest.length === 0 ? -first : rest.reduce((left, each) => left - each, first),
    ),
  ],
  ['*', onNumbers((all) => all.reduce((product, each) => product * each, 1))],
  ['/', onNumbers(([a = 0, b = 0]) => a / b)],
  ['%', onNumbers(([a = 0, b = 0]) => a % b)],
  ['min', onNumbers((all) => Math.min(...all))],
  ['max', onNumbers((all) => Math.max(...all))],
  ['round', onNumbers(([a = 0, digits = 0]) => Number(a.toFixed(Math.min(Math.max(digits, 0), 15))))],
  ['==', onPair(isEqual)],
  ['!=', onPair((a, b) => !isEqual(a, b))],
  ['<', onPair((a, b) => Number(a) < Number(b))],
  ['<=', onPair((a, b) => Number(a) <= Number(b))],
  ['>', onPair((a, b) => Number(a) > Number(b))],
  ['>=', onPair((a, b) => Number(a) >= Number(b))],
  ['!', ([a]) => !isTrue(a)],
  [
    'in',
    ([a, b]) => (typeof b === 'string' ? b.includes(String(a)) : listOf(b).some((each) => isEqual(each, a))),
  ],
  ['count', ([a]) => listOf(a).length],
  ['cat', joined],
]);

/** Returns true for the name of an operation. */
export function isOperation(name: string): boolean {
  return name === 'var' || LAZY_OPERATIONS.has(name) || OPERATIONS.has(name);
}

/** Joins texts; there is no text if one of them is absent. */
function joined(args: readonly unknown[]): unknown {
  const parts = args.flat();
  return parts.some((part) => part === undefined || part === null)
    ? undefined
    : parts.map(String).join('').slice(0, MAX_LENGTH);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a !== typeof b && String(a) === String(b));
}

/** As in JSON Logic: an empty list is false. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value of a document; numbers without the rest of binary fractions. */
function asJson(value: unknown): Json | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined;
  return value === undefined || value === null || typeof value === 'bigint' ? undefined : jsonFrom(value);
}
