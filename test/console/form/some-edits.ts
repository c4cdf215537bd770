import fc from 'fast-check';
import {
  applyEdit,
  type Edit,
  type FormState,
  type Json,
  openAll,
  type Row,
  rowsOf,
} from '../../../console/src/form/model/index.js';

/** A random edit: a row and an action by number, and a value. */
interface Whim {
  readonly row: number;
  readonly action: number;
  readonly value: Json;
}

/** Whims, a few in a row. */
export const whims = fc.array(
  fc.record({
    row: fc.nat(200),
    action: fc.nat(9),
    value: fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(['x']),
      fc.constant({ a: 1 }),
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

/** The state after whims. */
export function afterWhims(state: FormState, acts: readonly Whim[]): FormState {
  return acts.reduce((at, whim) => applyEdit(at, editFor(at, whim)), state);
}

/** Returns the edit of the existing rows that a whim selects. */
function editFor(state: FormState, { row, action, value }: Whim): Edit {
  const { rows } = rowsOf(openAll(state));
  const chosen = rows[row % rows.length];
  return chosen ? editOf(chosen, action, value) : { kind: 'revert', pointer: '' };
}

function editOf(row: Row, action: number, value: Json): Edit {
  const { pointer, id, list, alternatives, removable } = row;
  if (alternatives && action < 5)
    return { kind: 'choose', id, alternative: action % alternatives.names.length };
  if (list && action < 4) return { kind: 'add', pointer, at: action };
  if (removable && action > 3 && action < 7) return entryEdits(pointer)[action - 4]!;
  if (action > 6) return { kind: action > 7 ? 'clear' : 'revert', pointer };
  if (row.kind === 'container' || row.kind === 'entry') return { kind: 'member', pointer, name: 'extra' };
  return { kind: 'set', pointer, value };
}

function entryEdits(pointer: string): readonly Edit[] {
  return [
    { kind: 'remove', pointer },
    { kind: 'duplicate', pointer },
    { kind: 'move', pointer, to: pointer.length % 3 },
  ];
}
