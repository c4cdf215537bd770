import { isJsonObject } from '../../../src/json/json-object.js';
import { pointerTo, pointerTokens } from '../../../src/json/pointer.js';
import { type Calculation, calculationsIn, isOperation } from '../form/model/index.js';
import { text } from './designer-text.js';
import type { FormDraft } from './draft.js';
import { withMember } from './json-edit.js';
import { type ValueField, valueFields } from './placeholders.js';

/** Path of a value: names of members, and indexes or `*` for the entries of lists. */
export type Path = readonly string[];

/** What the names of an expression are looked up in. */
interface Scope {
  readonly path: Path;
  /** The path after a move. */
  readonly next: Path;
  /** What every name of a member begins with. */
  readonly prefix: string;
}

type Move = (path: Path) => Path;

/** Operations that evaluate their second argument for each entry of a list. */
const ITERATIONS: ReadonlySet<string> = new Set(['map', 'filter', 'reduce']);

/** Returns an expression whose names follow a move. The scope is undefined where it is not known. */
function moved(logic: unknown, scope: Scope | undefined, move: Move): unknown {
  if (Array.isArray(logic)) return logic.map((each) => moved(each, scope, move));
  if (!isJsonObject(logic)) return logic;
  const entries = Object.entries(logic).map(([operation, written]) => {
    const args: readonly unknown[] = Array.isArray(written) ? written : [written];
    const inner = ITERATIONS.has(operation) ? entryScope(operation, args[0], { scope, move }) : scope;
    const next = args.map((arg, at) =>
      operation === 'var' && at === 0 && typeof arg === 'string'
        ? movedName(arg, scope, move)
        : moved(arg, at === 1 ? inner : scope, move),
    );
    return [operation, Array.isArray(written) ? next : next[0]] as const;
  });
  return Object.fromEntries(entries);
}

function movedName(name: string, scope: Scope | undefined, move: Move): string {
  const path = pathIn(name, scope);
  if (!path) return name;
  if (name.startsWith('/')) return pointerOf(move(path)) ?? name;
  const next = nameIn(move(path), scope?.next ?? []);
  return next === undefined || next.startsWith('/') ? (next ?? name) : `${scope?.prefix ?? ''}${next}`;
}

/** Returns the path that a name means; undefined for the whole scope, and for what no field holds. */
function pathIn(name: string, scope: Scope | undefined): Path | undefined {
  if (name.startsWith('/')) return pointerTokens(name);
  if (!scope || name === '' || !name.startsWith(scope.prefix)) return undefined;
  return [...scope.path, ...name.slice(scope.prefix.length).split('.')];
}

/** Returns the scope of the entries of a list; undefined if the list is itself calculated. */
function entryScope(
  operation: string,
  list: unknown,
  { scope, move }: { readonly scope: Scope | undefined; readonly move: Move },
): Scope | undefined {
  const prefix = operation === 'reduce' ? 'current.' : '';
  if (!isJsonObject(list)) return undefined;
  const written = list['var'] ?? list['filter'];
  const args: readonly unknown[] = Array.isArray(written) ? written : [written];
  const [first] = args;
  if ('filter' in list) return entryScope(operation, first, { scope, move });
  const path = typeof first === 'string' ? pathIn(first, scope) : undefined;
  return path && { path: [...path, '*'], next: move([...path, '*']), prefix };
}

/**
 * Returns the name of a value in an expression: relative to the object around the calculated field, or a pointer.
 * Undefined for a value in entries of another list.
 */
export function nameIn(path: Path, around: Path): string | undefined {
  const rest = path.slice(around.length);
  const isBelow = rest.length > 0 && around.every((token, at) => token === path[at]);
  const isPlain = rest.every((token) => token !== '*' && token !== '' && !/[./]/.test(token));
  return isBelow && isPlain ? rest.join('.') : pointerOf(path);
}

function pointerOf(path: Path): string | undefined {
  return path.includes('*') ? undefined : path.reduce((at, token) => pointerTo(at, token), '');
}

/** Pointers of a field's values before and after an edit, with `*` for the entries of lists. */
type MovedPath = readonly [previous: string | undefined, next: string | undefined];

/**
 * Returns the form after the values of a field got another pointer: the names in expressions follow. After a copy, only
 * the expressions of the copy do.
 */
export function withMovedExpressions(
  draft: FormDraft,
  [previous, next]: MovedPath,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): FormDraft {
  if (previous === undefined || next === undefined || previous === next) return draft;
  const [from, to] = [pointerTokens(previous), pointerTokens(next)];
  const uiSchema = calculationsIn(draft).reduce((current, { path, at, expression }) => {
    const own = pointerTokens(path);
    const before = replaced(own, to, from);
    if (isCopy && before === own) return current;
    // A copy reads the members of its new object if they have the same names.
    const isAtHome = isCopy && expressionFaults(draft, { path, expression }).length === 0;
    const scope = { path: (isAtHome ? own : before).slice(0, -1), next: own.slice(0, -1), prefix: '' };
    const followed = moved(expression, scope, (one) => replaced(one, from, to));
    return JSON.stringify(followed) === JSON.stringify(expression)
      ? current
      : withMember(current, at, followed);
  }, draft.uiSchema);
  return uiSchema === draft.uiSchema ? draft : { ...draft, uiSchema };
}

/** Returns a path whose beginning is replaced; the same path if it begins otherwise. Indexes of entries stay. */
function replaced(path: Path, from: Path, to: Path): Path {
  const isBelow = from.every(
    (token, at) => token === path[at] || (token === '*' && /^\d+$/.test(path[at] ?? '')),
  );
  if (!isBelow) return path;
  const indexes = path.filter((_, at) => from[at] === '*');
  return [
    ...to.map((token) => (token === '*' ? (indexes.shift() ?? '*') : token)),
    ...path.slice(from.length),
  ];
}

/** Returns the faults of an expression in words: unknown operations, and names without a field. */
export function expressionFaults(
  draft: FormDraft,
  { path, expression }: Pick<Calculation, 'path' | 'expression'>,
): readonly string[] {
  const fields = new Map(valueFields(draft).map((field) => [field.path, field]));
  const names = new Set<string>();
  const around = pointerTokens(path).slice(0, -1);
  moved(expression, { path: around, next: around, prefix: '' }, (one) => {
    if (!isField(draft, fields, one)) names.add(nameIn(one, around) ?? one.join('.').replaceAll('.*', '[]'));
    return one;
  });
  return [...operationFaults(expression), ...[...names].map((name) => text('lint.unknownName', { name }))];
}

function operationFaults(logic: unknown): readonly string[] {
  if (Array.isArray(logic)) return logic.flatMap(operationFaults);
  if (!isJsonObject(logic)) return [];
  const names = Object.keys(logic);
  const [name = '', ...others] = names;
  if (names.length !== 1)
    return [text('lint.operationMembers', { names: others.length === 0 ? '{}' : names.join(', ') })];
  return [
    ...(isOperation(name) ? [] : [text('lint.unknownOperation', { name })]),
    ...operationFaults(logic[name]),
  ];
}

/** Returns true if a field has this path, or if the schema does not say which members the value has. */
function isField(draft: FormDraft, fields: ReadonlyMap<string, ValueField>, path: Path): boolean {
  let at = '';
  let schema: unknown = draft.schema;
  for (const token of path) {
    if (!isJsonObject(schema)) return true;
    const isList = schema['type'] === 'array' || Object.hasOwn(schema, 'items');
    const isEntry = isList && /^(?:\*|\d+)$/.test(token);
    at = pointerTo(at, isEntry ? '*' : token);
    const field = fields.get(at);
    if (!isEntry && !field) return isOpen(schema);
    schema = isEntry ? schema['items'] : field?.schema;
  }
  return true;
}

function isOpen(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, properties } = schema;
  const isFree = properties === undefined && (typeof type !== 'string' || type === 'object');
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []);
  return (
    ['$ref', 'patternProperties'].some((keyword) => Object.hasOwn(schema, keyword)) ||
    isJsonObject(schema['additionalProperties']) ||
    (isFree && parts.length === 0) ||
    parts.some((part) => isJsonObject(part) && '$ref' in part)
  );
}
