import type { AdapterDocument } from './adapter-document.js';
import type { AdapterInstance } from './snapshot.js';

/** An adapter as clients see it, wherever it is kept. */
export interface AdapterView {
  readonly document: AdapterDocument;
  /** False where the active profile leaves it out. */
  readonly isActive: boolean;
  /** Why what runs is not what is kept; absent when it is. */
  readonly behind?: string;
  readonly instance: AdapterInstance;
  /** The file that it stands in; absent for one that was registered through the API. */
  readonly file?: string;
  /** Of its record; absent for one of a file. */
  readonly revision?: number;
}

/** The adapters that there are now. */
export interface AdapterDirectory {
  /** Those of files, then those that were registered, each by name. */
  readonly list: () => readonly AdapterView[];
  readonly find: (name: string) => AdapterView | undefined;
  /**
   * The document as it may be kept. Throws `invalid_request` with everything that is wrong with it. A secret in it is a
   * fault, or is moved to Vault where the operator wants that; an empty one stands for the reference that was there.
   */
  readonly admit: (document: AdapterDocument) => Promise<AdapterDocument>;
}
