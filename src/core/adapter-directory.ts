import type { AdapterDocument } from './adapter-document.js';
import type { AdapterInstance } from './snapshot.js';

/** An adapter as clients see it, from a file or from the API. */
export interface AdapterView {
  readonly document: AdapterDocument;
  /** False if the active profile excludes the adapter. */
  readonly isActive: boolean;
  /** Reason why the running adapter differs from the stored one; absent if both are the same. */
  readonly behind?: string;
  readonly instance: AdapterInstance;
  /** File that defines the adapter; absent if the adapter was registered through the API. */
  readonly file?: string;
  /** Revision of the adapter's record; absent for an adapter from a file. */
  readonly revision?: number;
}

/** The current adapters. */
export interface AdapterDirectory {
  /** Returns the adapters from files, then the registered adapters, each sorted by name. */
  readonly list: () => readonly AdapterView[];
  readonly find: (name: string) => AdapterView | undefined;
  /**
   * Returns the document in the form in which it may be stored. Throws `invalid_request` with all errors
   * found. A plain secret in the document is an error, or is moved to Vault if the operator configured that.
   * An empty secret keeps the existing reference.
   */
  readonly admit: (document: AdapterDocument) => Promise<AdapterDocument>;
}
