/** A JSON form document (specification 2.7, wire 4.1), with its members in the order in which clients know them. */
export interface Form {
  /** 24 hexadecimal digits. */
  readonly id: string;
  /** Unique; compared character by character. */
  readonly name: string;
  readonly description: string | null;
  readonly struct: object;
  readonly schema: object;
  readonly uiSchema: object;
  readonly bindingSchema: object;
  readonly validationSchema: object;
  /** RFC 3339, UTC, milliseconds. */
  readonly created: string;
  /** `sub` of the caller who made it. */
  readonly createdBy: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
  /** Release of the form's format. */
  readonly version: string;
}

/** A form as it is kept: the text goes out as it is, so that no number changes on the way. */
export interface StoredForm {
  readonly id: string;
  /** The {@link Form} as JSON. */
  readonly json: string;
}

/** A former state of a form. */
export interface FormVersion {
  /** Counts the states of one form, from 1. */
  readonly revision: number;
  /** The {@link Form} as JSON. */
  readonly json: string;
}

/** How much is kept. */
export interface FormLimits {
  /** Most forms. */
  readonly maxForms: number;
  /** Former states kept of each form. */
  readonly maxVersions: number;
}

/**
 * Keeps forms. Every write is one transaction that survives a crash and a power failure once it has resolved. A `key` is
 * an id or a name; an id goes first. Throws `store_unavailable` or `store_full` when the database does not take part.
 */
export interface FormStore {
  /** False, and nothing is done, when there is a form of this name. Throws `too_many_forms`. */
  create(form: Form, limits: FormLimits): Promise<boolean>;
  find(key: string): Promise<StoredForm | undefined>;
  /** Every form as JSON text, in pages, oldest first. What is written meanwhile may be in it or not. */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Replaces a form by what `change` makes of it, and keeps the former state; `undefined` when there is none.
   * Throws `form_name_taken`.
   */
  update(key: string, change: (previous: Form) => Form, limits: FormLimits): Promise<Form | undefined>;
  /** Removes forms by id, with their former states. Resolves to how many there were. */
  remove(ids: readonly string[]): Promise<number>;
  /** Adds all or none. A name that is taken gets the first free ` (n)`. Throws `too_many_forms`. */
  import(forms: readonly Form[], limits: FormLimits): Promise<readonly Form[]>;
  /**
   * Adds forms as they were, ids included, all or none. Resolves to how many were added; a form whose id or name is
   * taken is passed over with `skip`, and throws `form_name_taken` without it.
   */
  restore(forms: AsyncIterable<Form>, options: { readonly skip: boolean }): Promise<number>;
  /** Former states, newest first; `undefined` when there is no such form. */
  versions(key: string): Promise<readonly FormVersion[] | undefined>;
}
