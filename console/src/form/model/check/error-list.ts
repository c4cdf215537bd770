import { memberOf, objectOf } from '../../../../../src/json/json-object.js';
import { pointerTokens, valueAt } from '../../../../../src/json/pointer.js';
import { textsOf } from '../field/keywords.js';
import { labelOf } from '../field/options.js';
import { jsonFrom, parentPointer, pointersTo, WrittenNumber } from '../json/json.js';
import { childrenOf, nodeAt, nodeOf, rootNode } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import { titlesTo } from '../state/changes.js';
import type { FormState } from '../state/form-state.js';
import type { ErrorGroup, RowError } from '../types.js';
import { errorsAt, errorsBelow } from './error-locations.js';

/** Returns all errors in row order; an error without a row is sorted to the row that contains it. */
export function errorsOf(state: FormState): readonly RowError[] {
  const order = new Map(idsInOrder(state).map((id, at) => [id, at]));
  const orderOf = ({ pointer }: RowError) =>
    order.get(pointersTo(pointer).findLast((ancestor) => order.has(ancestor)) ?? '') ?? -1;
  return state.errors.toSorted((a, b) => orderOf(a) - orderOf(b));
}

/** Groups errors by their container, for a summary with counts. */
export function errorGroups(state: FormState): readonly ErrorGroup[] {
  const groups = new Map<string, RowError[]>();
  for (const error of errorsOf(state)) {
    const pointer = containerAround(state, error.pointer);
    groups.set(pointer, [...(groups.get(pointer) ?? []), error]);
  }
  return [...groups].map(([pointer, errors]) => ({
    pointer,
    title: titlesTo(state, pointer).join(' / '),
    errors,
  }));
}

/**
 * Returns the id of the next or previous row with an error, wrapping around at the end. Undefined if there
 * are no errors.
 */
export function nextError(state: FormState, from: string | undefined, step: 1 | -1): string | undefined {
  const ids = [...new Set(errorsOf(state).flatMap(({ pointer }) => rowIdOf(state, pointer) ?? []))];
  const ordered = step === 1 ? ids : ids.toReversed();
  const index = from === undefined ? -1 : ordered.indexOf(from);
  if (index !== -1 || from === undefined) return ordered[index + 1] ?? ordered[0];
  return ordered.find((id) => isAfter(state, id, from) === (step === 1)) ?? ordered[0];
}

/** Returns the row that shows an error: the row of its location, or the closest row that contains it. */
export function rowIdOf(state: FormState, pointer: string): string | undefined {
  return pointersTo(pointer).findLast((ancestor) => (nodeOf(state, ancestor)?.level ?? 0) > 0);
}

/** Returns the ids of all nodes with errors at or below them, in row order. */
function idsInOrder(state: FormState): readonly string[] {
  const ids: string[] = [];
  const visit = (node: Node): void => {
    ids.push(node.id);
    if (node.kind === 'choice' || errorsBelow(state, node.pointer) > 0)
      childrenOf(state, node).filter(hasErrors).forEach(visit);
  };
  const hasErrors = ({ kind, pointer }: Node) =>
    kind === 'choice' || errorsAt(state, pointer).length > 0 || errorsBelow(state, pointer) > 0;
  visit(rootNode(state));
  return ids;
}

/**
 * Returns true if a row comes after another row. Compares the positions of the first ancestors that differ.
 */
function isAfter(state: FormState, id: string, other: string): boolean {
  const [a, b] = [pathTo(state, id), pathTo(state, other)];
  const fork = a.findIndex((node, at) => node.id !== b[at]?.id);
  if (fork === -1) return false;
  const ancestor = a[fork - 1];
  const [child, otherChild] = [a[fork], b[fork]];
  if (!ancestor || !child || !otherChild) return true;
  const ids = childrenOf(state, ancestor).map(({ id }) => id);
  return ids.indexOf(child.id) > ids.indexOf(otherChild.id);
}

function pathTo(state: FormState, id: string): readonly Node[] {
  const path: Node[] = [];
  for (let node = nodeOf(state, id); node; node = node.parent) path.unshift(node);
  return path;
}

/** Returns the innermost container or entry that contains a location. */
function containerAround(state: FormState, pointer: string): string {
  return (
    pointersTo(parentPointer(pointer)).findLast((ancestor) =>
      CONTAINERS.has(nodeAt(state, ancestor)?.kind ?? ''),
    ) ?? ''
  );
}

const CONTAINERS: ReadonlySet<string> = new Set(['container', 'presence', 'entry']);

/** What the schema says about an error, for its text. */
export interface ErrorFacts {
  /** The text that the form itself has for the error (`ui:errors`, `errorMessage`). */
  readonly ownText: string | undefined;
  /** Value of the keyword that failed, such as the maximum; undefined for lists and objects. */
  readonly limit: string | number | undefined;
  readonly description: string | undefined;
}

/** Returns what the schema and the uiSchema say about an error. */
export function errorFactsOf(
  state: FormState,
  { pointer, keyword, source, schemaPath = '#' }: RowError,
): ErrorFacts {
  const field = nodeAt(state, pointer)?.field;
  if (!field || source === 'server') return { ownText: undefined, limit: undefined, description: undefined };
  const value = schemaPath.includes('#')
    ? field.keyword(keyword)
    : valueAt(state.form.document.root, schemaPath);
  const isShort =
    value === null || ['string', 'boolean'].includes(typeof value) || value instanceof WrittenNumber;
  const texts = [
    memberOf(objectOf(field.ui('errors')), keyword),
    keyword === 'required' ? requiredText(state, pointer) : textFor(field.keyword('errorMessage'), keyword),
  ];
  return {
    ownText: texts.find((text): text is string => typeof text === 'string' && text !== ''),
    limit: typeof value === 'number' ? value : isShort ? labelOf(jsonFrom(value)) : textsOf(value)[0],
    description: field.description,
  };
}

/** Returns the text of ajv-errors' keyword `errorMessage`: one for all keywords, or one for each. */
function textFor(errorMessage: unknown, keyword: string): unknown {
  return typeof errorMessage === 'string' ? errorMessage : memberOf(objectOf(errorMessage), keyword);
}

/** Returns the text for a missing member, which the schema of its container has: for all members, or by name. */
function requiredText(state: FormState, pointer: string): unknown {
  const container = nodeAt(state, parentPointer(pointer))?.field;
  const text = memberOf(objectOf(container?.keyword('errorMessage')), 'required');
  return typeof text === 'string' ? text : memberOf(objectOf(text), pointerTokens(pointer).at(-1) ?? '');
}
