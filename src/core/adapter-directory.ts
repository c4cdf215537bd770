import type { AdapterDocument } from './adapter-document.js';
import type { AdapterInstance } from './snapshot.js';

/** An adapter as clients see it, from a file or from the API. */
export interface AdapterView {
  readonly document: AdapterDocument;
  /** False if the active profile excludes the adapter. */
  readonly isActive: boolean;
  /** Reason why the running adapter has not applied the stored document; absent if it has. */
  readonly behind?: string;
  readonly instance: AdapterInstance;
  /** File that defines the adapter; absent if the adapter was registered through the API. */
  readonly file?: string;
  /** Revision of the adapter's record; absent for an adapter from a file. */
  readonly revision?: number;
}

/** Read access to the current adapters, and admission of new documents. */
export interface AdapterDirectory {
  /** Returns the adapters from files, then the registered adapters, each sorted by name. */
  readonly list: () => readonly AdapterView[];
  readonly find: (name: string) => AdapterView | undefined;
  /**
   * Returns a document that can be stored. Throws `invalid_request` with all errors. A plain-text secret is
   * an error, unless the operator configured that such secrets are written to Vault. An empty secret keeps
   * the existing reference.
   */
  readonly admit: (document: AdapterDocument) => Promise<AdapterDocument>;
}
