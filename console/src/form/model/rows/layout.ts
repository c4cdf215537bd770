import type { Field } from '../field/field.js';
import { objectsOf, textsOf } from '../field/keywords.js';
import { uiWidget } from '../field/ui.js';
import type { FormState } from '../state/form-state.js';
import { childrenOf, nodeOf, rootNode } from './children.js';
import type { Node } from './node.js';
import { isExpandable, isOpen } from './open-rows.js';

/** Arrangement of the members of a container (`ui:columns`, `ui:sections`). */
export interface Layout {
  /** Number of columns for fields of one line, 1 to 4. */
  readonly columns: number;
  /** Titled groups of members; members without a group follow them. */
  readonly sections: readonly Section[];
  /** Groups of members that are shown one after the other (`ui:pages`); members without a page are on the last one. */
  readonly pages: readonly Section[];
  /** True for questions with the same options, as lines of a table. */
  readonly isMatrix: boolean;
}

/** A titled group of members. */
export interface Section {
  readonly title: string;
  readonly description: string | undefined;
  /** Names of the members. */
  readonly fields: readonly string[];
  readonly columns: number;
  /** True if the section is closed at first. */
  readonly isClosed: boolean;
}

const MAX_COLUMNS = 4;

/** Returns the layout of a container by the id of its row; '' for the whole form. */
export function layoutOf(state: FormState, id: string): Layout {
  const node = id === '' ? rootNode(state) : nodeOf(state, id);
  return node ? fieldLayout(node.field) : { columns: 1, sections: [], pages: [], isMatrix: false };
}

function fieldLayout(field: Field): Layout {
  const columns = columnsOf(field.ui('columns'), 1);
  const groups = (written: unknown) =>
    objectsOf(written).map((group) => ({
      title: typeof group['title'] === 'string' ? group['title'] : '',
      description: typeof group['description'] === 'string' ? group['description'] : undefined,
      fields: textsOf(group['fields']),
      columns: columnsOf(group['columns'], columns),
      isClosed: group['closed'] === true,
    }));
  return {
    columns,
    sections: groups(field.ui('sections') ?? field.ui('groups')),
    pages: groups(field.ui('pages')),
    isMatrix: uiWidget(field.source.ui) === 'matrix',
  };
}

function columnsOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value)
    ? Math.min(Math.max(value, 1), MAX_COLUMNS)
    : otherwise;
}

/** Maximum number of locations that are visited to count fields. */
const MAX_VISITED = 2000;

/**
 * Returns true if the form is loaded as a whole and has at most this many fields when all of its containers are open, with the entries
 * that its lists have. Stops early, so that it is quick for a form of any size.
 */
export function hasAtMostFields(state: FormState, maximum: number): boolean {
  if (state.form.isPartial) return false;
  const open: FormState = { ...state, unfolding: 'form' };
  let fields = 0;
  let visited = 0;
  const visit = (node: Node): boolean => {
    visited += 1;
    if (node.kind === 'leaf' || node.kind === 'json' || node.kind === 'leaf-list') fields += 1;
    if (fields > maximum || visited > MAX_VISITED) return false;
    return (
      !isExpandable(node) || !(node.level === 0 || isOpen(open, node)) || childrenOf(open, node).every(visit)
    );
  };
  return visit(rootNode(open));
}
