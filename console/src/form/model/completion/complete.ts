import { isJsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { pointerTo, pointerTokens, valueAt } from '../../../../../src/json/pointer.js';
import { UNION_KEYWORDS } from '../field/conditions.js';
import { constantOf } from '../field/editor.js';
import { isEngineReady } from '../field/engine.js';
import type { Field } from '../field/field.js';
import { fitsType, typesOf } from '../field/keywords.js';
import { below, declaredNames } from '../field/members.js';
import type { SchemaPart } from '../field/schema-document.js';
import {
  isList,
  isMembers,
  type Json,
  jsonFrom,
  parentPointer,
  plainValue,
  pointersOf,
  sameJson,
} from '../json/json.js';
import { childAt, childrenOf, nodeAt, rootNode } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import type { FormState } from '../state/form-state.js';
import { documentWith } from '../state/write.js';
import { evaluate } from './evaluate.js';

/** Maximum number of passes: a value that a pass fills in may show further fields. */
const MAX_PASSES = 5;

/** Maximum nesting of absent objects that are created for their defaults. */
const MAX_NESTING = 8;

/**
 * Returns the state after an edit with what the form itself does: fills in the defaults and constants of new fields, drops
 * the values of fields that a condition hides, which return with their fields, and calculates values. `before` is the
 * state before the edit; undefined for a form that opens.
 */
export function completed(before: FormState | undefined, state: FormState): FormState {
  const { rules } = state.form;
  if (!rules) return state;
  let known = before;
  let current = state;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = calculated(withFields(known, current));
    if (next.data === current.data) break;
    known = current;
    current = next;
  }
  return current;
}

interface Pass {
  /** What fields were there before. */
  readonly before: FormState | undefined;
  state: FormState;
}

function withFields(before: FormState | undefined, state: FormState): FormState {
  const pass: Pass = { before, state };
  visit(pass, '', before && rootNode(before));
  return pass.state;
}

/** Completes the members of a value and of the values below it. `was` is the same location before the edit. */
function visit(pass: Pass, pointer: string, was: Node | undefined): void {
  const node = nodeAt(pass.state, pointer);
  if (!node) return;
  if (isMembers(node.value) || (pointer === '' && node.value === undefined && node.kind === 'container')) {
    dropHidden(pass, node);
    fillNew(pass, node, was);
  }
  const now = nodeAt(pass.state, pointer);
  if (!now) return;
  for (const child of membersOf(pass.state, now))
    if (typeof child.value === 'object' && child.value !== null)
      visit(pass, child.pointer, was && pass.before && earlier(pass.before, was, child));
}

function membersOf(state: FormState, node: Node): readonly Node[] {
  if (!isMembers(node.value)) return childrenOf(state, node);
  return Object.keys(node.value).flatMap((name) => childAt(state, node, name) ?? []);
}

/** Returns the location of a child before the edit. An entry of a list may have moved. */
function earlier(before: FormState, was: Node, { key, value }: Node): Node | undefined {
  if (!isList(was.value)) return childAt(before, was, key);
  const same = was.value.findIndex((entry) => entry === value);
  const node = childAt(before, was, same === -1 ? key : String(same));
  return node?.value === undefined ? undefined : node;
}

function write(pass: Pass, pointer: string, value: Json | undefined): void {
  const node = nodeAt(pass.state, pointer);
  if (node) pass.state = { ...pass.state, data: documentWith(node, value) };
}

function dropHidden(pass: Pass, { field, value, pointer }: Node): void {
  if (pass.state.form.rules?.drops !== true || !isEngineReady() || !isMembers(value)) return;
  const names = branchNames(field);
  for (const name of Object.keys(value)) {
    const hidden = value[name];
    if (hidden === undefined || field.describes(name) || !names.has(name)) continue;
    const at = pointerTo(pointer, name);
    write(pass, at, undefined);
    pass.state = { ...pass.state, hidden: new Map(pass.state.hidden).set(at, hidden) };
  }
}

/** Restores or fills in the members that an object did not have before. */
function fillNew(pass: Pass, node: Node, was: Node | undefined): void {
  const { field, value, pointer } = node;
  for (const name of field.names) {
    const wasThere = was?.value !== undefined && was.field.describes(name);
    if (wasThere || (isMembers(value) && Object.hasOwn(value, name))) continue;
    const at = pointerTo(pointer, name);
    const hidden = pass.state.hidden.get(at);
    const filled = hidden ?? valueForNew(pass.state, childAt(pass.state, node, name));
    if (filled === undefined) continue;
    write(pass, at, filled);
    const others = [...pass.state.hidden].filter(([known]) => known !== at);
    if (hidden !== undefined) pass.state = { ...pass.state, hidden: new Map(others) };
  }
}

function valueForNew(state: FormState, member: Node | undefined): Json | undefined {
  return member && state.form.rules?.fills === true ? fillOf(state, member, 0) : undefined;
}

/** Returns the value of a new field: its constant if it is required, its default, or an object of such values. */
function fillOf(state: FormState, node: Node, depth: number): Json | undefined {
  const { field, required } = node;
  const constant = required && field.kind === 'leaf' ? constantOf(field) : undefined;
  if (constant !== undefined) return constant;
  const given = defaultOf(field);
  if (given !== undefined) return given;
  if (field.kind === 'list' || field.kind === 'leaf-list') return required ? [] : undefined;
  return field.kind === 'container' ? newObject(state, node, depth) : undefined;
}

/** Returns a new object with the values of its members. */
function newObject(state: FormState, node: Node, depth: number): Json | undefined {
  const { field, required, unions, variants } = node;
  const isOpen = unions.length > 0 || variants.length > 0;
  if (isOpen || depth >= MAX_NESTING || isInItself(node)) return undefined;
  const members = field.names.flatMap((name) => {
    const member = childAt(state, node, name);
    const value = member && fillOf(state, member, depth + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  const filled = Object.fromEntries(members);
  // An optional object that lacks a member would be an error where there was none.
  const isComplete = members.length > 0 && [...field.required].every((name) => Object.hasOwn(filled, name));
  return required || isComplete ? filled : undefined;
}

/** Returns true for an object whose schema is also that of an object around it. */
function isInItself({ field, parent }: Node): boolean {
  for (let around = parent; around; around = around.parent) {
    const schemas = new Set(around.field.parts.map(({ schema }) => schema));
    if (field.parts.some(({ schema }) => schemas.has(schema))) return true;
  }
  return false;
}

/** Returns the default of a field, unless it has another type than the field. */
function defaultOf(field: Field): Json | undefined {
  const value = field.keyword('default');
  if (value === undefined) return undefined;
  const types = typesOf(field.parts);
  return types.length === 0 || types.some((type) => fitsType(jsonFrom(value), type))
    ? jsonFrom(value)
    : undefined;
}

function calculated(state: FormState): FormState {
  let current = state;
  for (const { path, expression } of state.form.rules?.calculations ?? [])
    for (const pointer of pointersOf(state.data ?? {}, pointerTokens(path))) {
      const node = nodeAt(current, pointer);
      const document = plainValue(current.data ?? {});
      const value = evaluate(expression, { document, around: valueAt(document, parentPointer(pointer)) });
      if (node && !node.unknown && !sameJson(node.value, value))
        current = { ...current, data: documentWith(node, value) };
    }
  return current;
}

const NAMES = new WeakMap<object, ReadonlySet<string>>();

/** Returns the names of the members that a field has under some condition. */
function branchNames({ source: { document }, parts }: Field): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (part: SchemaPart, depth: number): void => {
    const known = NAMES.get(part.schema);
    const own = known ?? new Set(branchesOf(part).flatMap((branch) => namesIn(branch, depth)));
    if (!known) NAMES.set(part.schema, own);
    for (const name of own) names.add(name);
  };
  const branchesOf = (part: SchemaPart): readonly (readonly SchemaPart[])[] => {
    const { schema } = part;
    const branches = ['then', 'else'].map((name) => ({ schema: schema[name], tokens: [name] }));
    const dependent = ['dependentSchemas', 'dependencies'].flatMap((keyword) =>
      Object.entries(objectOf(schema[keyword])).map(([name, inner]) => ({
        schema: inner,
        tokens: [keyword, name],
      })),
    );
    return [...branches, ...dependent]
      .filter((step) => isJsonObject(step.schema))
      .map((step) => below(document, part, step));
  };
  const namesIn = (branch: readonly SchemaPart[], depth: number): readonly string[] => {
    if (depth > MAX_DEPTH) return [];
    const inner = branch.flatMap((part) => [
      ...branchesOf(part),
      ...UNION_KEYWORDS.flatMap((keyword) => {
        const written = part.schema[keyword];
        return Array.isArray(written)
          ? written.map((schema: unknown, at) => below(document, part, { schema, tokens: [keyword, at] }))
          : [];
      }),
    ]);
    return [...declaredNames(branch), ...inner.flatMap((parts) => namesIn(parts, depth + 1))];
  };
  for (const part of parts) add(part, 0);
  return names;
}

/** Maximum nesting of conditions. */
const MAX_DEPTH = 5;
