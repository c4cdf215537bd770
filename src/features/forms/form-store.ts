import type { Principal } from '../../core/principal.js';

/** A JSON form document (specification 2.7, wire 4.1), with its members in the order that clients know. */
export interface Form {
  /** 24 hexadecimal digits. */
  readonly id: string;
  /** Unique name; the comparison is exact. */
  readonly name: string;
  readonly description: string | null;
  readonly struct: object;
  readonly schema: object;
  readonly uiSchema: object;
  readonly bindingSchema: object;
  readonly validationSchema: object;
  /** RFC 3339, UTC, milliseconds. */
  readonly created: string;
  /** `sub` of the caller who created the form. */
  readonly createdBy: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
  /** Release that defines the format of the form. */
  readonly version: string;
  /** `iss` of the callers, and their names for people; absent in forms of a version that did not store them. */
  readonly createdByIssuer?: string;
  readonly createdByName?: string;
  readonly lastUpdatedByIssuer?: string;
  readonly lastUpdatedByName?: string;
  /** Who lets this form send the queries of its bindings; null: no one. Absent in forms of earlier versions. */
  readonly bindingGrant?: BindingGrant | null;
}

/** A stored form as unparsed JSON, so that no number changes. */
export interface StoredForm {
  readonly id: string;
  /** The {@link Form} as JSON. */
  readonly json: string;
}

/** What lists need of a form without its document. */
export interface FormHead {
  readonly id: string;
  readonly name: string;
  /** Size of the {@link Form} as JSON. */
  readonly bytes: number;
}

export interface FormVersion {
  /** Number of the version, from 1 for each form. */
  readonly revision: number;
  /** The {@link Form} as JSON. */
  readonly json: string;
}

export interface FormRevisions {
  readonly id: string;
  readonly current: number;
  /** Numbers of the earlier versions, newest first. */
  readonly earlier: readonly number[];
}

export interface FormLimits {
  /** Maximum number of forms. */
  readonly maxForms: number;
  /** Maximum number of earlier versions per form. */
  readonly maxVersions: number;
}

/**
 * Stores forms. Every write is one transaction, which survives a crash and a power failure once its promise
 * has resolved. A `key` is an id or a name; ids take precedence. Throws `store_unavailable` or `store_full`
 * if the database fails.
 */
export interface FormStore {
  /** Creates a form. Returns false, without a change, if the name is taken. Throws `too_many_forms`. */
  create(form: Form, limits: FormLimits): Promise<boolean>;
  find(key: string): Promise<StoredForm | undefined>;
  /** Returns the heads of all forms, oldest first. May or may not include concurrent writes. */
  heads(): AsyncIterable<readonly FormHead[]>;
  /**
   * Returns the JSON of all forms, or of those with these heads, oldest first: in pages of UTF-8, a form per line. The last
   * line of a page has no line break. May or may not include concurrent writes.
   */
  list(heads?: AsyncIterable<readonly FormHead[]>): AsyncIterable<Buffer>;
  /**
   * Replaces a form with the result of `change`, and stores the previous version. Returns `undefined` if the
   * form does not exist. Throws `form_name_taken`.
   */
  update(key: string, change: (previous: Form) => Form, limits: FormLimits): Promise<Form | undefined>;
  /** Removes forms by id, with their earlier versions. Returns the number of removed forms. */
  remove(ids: readonly string[]): Promise<number>;
  /** Adds all forms or none. Appends the first free ` (n)` to a taken name. Throws `too_many_forms`. */
  import(forms: readonly Form[], limits: FormLimits): Promise<readonly Form[]>;
  /**
   * Adds all forms or none, unchanged and with their ids. Returns the number of added forms. If the id or
   * name of a form is taken, skips the form with `skip`, and throws `form_name_taken` without `skip`.
   */
  restore(forms: AsyncIterable<Form>, options: { readonly skip: boolean }): Promise<number>;
  /** Returns earlier versions, newest first; `undefined` if the form does not exist. */
  versions(key: string): Promise<readonly FormVersion[] | undefined>;
  /** Returns the numbers of the versions of a form without their documents; `undefined` if the form does not exist. */
  revisions(key: string): Promise<FormRevisions | undefined>;
  /** Returns an earlier version of the form with an id; `undefined` if it does not exist. */
  version(id: string, revision: number): Promise<FormVersion | undefined>;
}

/**
 * Permission of a form's author to send the queries of the form's bindings. People who fill in the form then
 * need no role for queries.
 */
export interface BindingGrant {
  /** `sub` and `iss` of the author, and the name for people. */
  readonly by: string;
  readonly byIssuer: string;
  readonly byName: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Roles of the author at that time. */
  readonly roles: readonly string[];
  /** True if the author had an account of this server; then the current roles of the account apply. */
  readonly isAccount?: true;
}

/** Gives grants, and returns the roles of their authors. */
export interface BindingGrants {
  /** Returns a grant of this caller; null if the caller may not send queries. */
  readonly grantOf: (principal: Principal | undefined) => BindingGrant | null;
  /**
   * Returns the author of a grant with the roles that apply now. Throws `binding_not_granted` if these roles no
   * longer admit queries.
   */
  readonly authorOf: (grant: BindingGrant) => Principal;
}
