import { createContext, useContext } from 'react';
import type { Row } from '../model/index.js';

/** Returns who changed a location, for people: `changed by Ada, 14:32`; undefined if that is not known. */
export type ChangeNotes = (pointer: string) => string | undefined;

const ChangeNotesContext = createContext<ChangeNotes>(() => undefined);

/** Provides who changed the fields of a form that several people edit. */
export const ChangeNotesProvider = ChangeNotesContext.Provider;

/** Returns who changed a row; undefined for an unchanged row. */
export function useChangeNote(row: Pick<Row, 'changed' | 'pointer'> | undefined): string | undefined {
  const noteOf = useContext(ChangeNotesContext);
  return row?.changed === true ? noteOf(row.pointer) : undefined;
}
