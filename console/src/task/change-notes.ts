import { type FormState, jsonAt, parentPointer, pointerIn, sameJson } from '../form/model/index.js';
import type { ChangeNotes } from '../form/view/change-notes.js';
import { formatTimeOfDay } from '../text/span.js';
import { textOf } from '../text/text.js';
import type { DraftChange, Task } from './server.js';
import { savedData } from './task-form.js';

const text = textOf('task');

/**
 * Returns who changed the fields of the saved draft, and when. A field with an unsaved change of this person has no
 * author, and neither has a container in which several fields changed.
 */
export function changeNotesOf({ data, form }: FormState, task: Task): ChangeNotes {
  const changes = changesByPointer(task.draft?.changes ?? []);
  if (changes.size === 0) return () => undefined;
  const saved = savedData(task);
  return (pointer) => {
    // Unsaved changes of this person may have moved the entries of lists.
    const location = pointerIn(saved, { document: data, pointer }, form.root);
    if (location === undefined) return undefined;
    const change = nearestChange(changes, location);
    if (!change || !sameJson(jsonAt(saved, location), jsonAt(data, pointer))) return undefined;
    return text('changedBy', { name: change.byName, time: formatTimeOfDay(Date.parse(change.at)) });
  };
}

function changesByPointer(changes: readonly DraftChange[]): ReadonlyMap<string, DraftChange> {
  return new Map(changes.flatMap((change) => change.pointers.map((pointer) => [pointer, change] as const)));
}

/** Returns the change of a location: its own, or that of the container with which it was added. */
function nearestChange(changes: ReadonlyMap<string, DraftChange>, location: string): DraftChange | undefined {
  for (let pointer = location; ; pointer = parentPointer(pointer)) {
    const change = changes.get(pointer);
    if (change || pointer === '') return change;
  }
}
