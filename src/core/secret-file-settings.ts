/** Settings of secrets that are files. */
export interface SecretFileSettings {
  /** Absolute path of the folder that references are below. */
  readonly root: string;
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number;
  /** Time between two checks of the files without a notification of the file system, in seconds. */
  readonly pollSeconds: number;
  /** Path below the root that adapters registered through the API may refer to; `{name}` is the name of the adapter. */
  readonly adapterScope: string;
}

/** Settings of the stores of secrets besides Vault. */
export interface SecretStoreSettings {
  /** Null: references to files are refused. */
  readonly files: SecretFileSettings | null;
}
