/** A folder of Vault that a person wants to see while choosing a reference. */
export interface VaultBrowseQuery {
  /** Name of the adapter, registered or not yet, that is to use the reference. */
  readonly adapter: string;
  /** Path below the mount as in a reference, percent-encoded; undefined: the scope of the adapter. */
  readonly path: string | undefined;
  /** Only names that contain this text, in any letter case; empty: all names. */
  readonly contains: string;
  readonly skip: number;
  readonly limit: number;
}

/** A name in a folder. A secret and a folder may have the same name. */
interface VaultEntry {
  readonly name: string;
  /** Path below the mount as in a reference, percent-encoded. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly isSecret: boolean;
}

/** Name of a field of a secret, never its value. */
export interface VaultField {
  readonly name: string;
  /** Text of the reference to the field. */
  readonly reference: string;
  /** Why the adapter must not use the field; null if it may. */
  readonly refusal: string | null;
}

/** Why Vault gave no names, and what to do next. */
export interface VaultBrowseFault {
  readonly cause: string;
  readonly fix: string;
}

/** What Vault has at a path: the names below it, and the fields of the secret at it. */
export interface VaultFolder {
  readonly path: string;
  /** Path of the folder above; null at the top of the scope. */
  readonly parent: string | null;
  readonly entries: {
    /** One page, sorted by name. */
    readonly results: readonly VaultEntry[];
    /** Number of the names that match. */
    readonly total: number;
    readonly fault: VaultBrowseFault | null;
  };
  readonly secret: {
    readonly exists: boolean;
    readonly fields: readonly VaultField[];
    /** Number of all fields; `fields` has at most 500. */
    readonly total: number;
    readonly fault: VaultBrowseFault | null;
  };
}

/** The names at a path, or why the query is refused. `member` is the parameter that is wrong. */
export type VaultBrowse =
  | VaultFolder
  | { readonly refused: string; readonly member: 'adapter' | 'path'; readonly fix?: string };
