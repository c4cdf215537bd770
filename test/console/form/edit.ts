import { applyEdit, type Edit, type FormState, type Json } from '../../../console/src/form/model/index.js';

export const set = (pointer: string, value: Json): Edit => ({ kind: 'set', pointer, value });
export const clear = (pointer: string): Edit => ({ kind: 'clear', pointer });
export const remove = (pointer: string): Edit => ({ kind: 'remove', pointer });
export const choose = (id: string, alternative: number): Edit => ({ kind: 'choose', id, alternative });

/** Returns the state after edits. */
export const withEdits = (state: FormState, ...edits: readonly Edit[]): FormState =>
  edits.reduce(applyEdit, state);
