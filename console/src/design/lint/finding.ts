import type { FormDraft, DraftPart } from '../draft.js';

/** Something that is wrong with a form (`error`: it will not do what it says), or that makes it worse to use. */
export interface Finding {
  readonly kind: 'error' | 'warning';
  /** The document that it stands in. */
  readonly part: DraftPart | 'struct';
  /** Pointer into that document. */
  readonly pointer: string;
  /** Pointer of the schema of the field that it is about, where there is one. */
  readonly field?: string;
  /** One sentence. */
  readonly message: string;
}

/** Looks at a form for one kind of fault. */
export type Rule = (draft: FormDraft) => readonly Finding[];
