import type { FormDraft, DraftPart } from '../draft.js';

/**
 * A fault of a form. `error`: the form does not work as written. `warning`: the form is hard to use.
 */
export interface Finding {
  readonly kind: 'error' | 'warning';
  /** The document that contains the finding. */
  readonly part: DraftPart | 'struct';
  /** Pointer into that document. */
  readonly pointer: string;
  /** Pointer of the schema of the affected field, if there is one. */
  readonly field?: string;
  /** One sentence. */
  readonly message: string;
}

/** Checks a form for one kind of fault. */
export type Rule = (draft: FormDraft) => readonly Finding[];
