import type { AdapterDocument } from '../../core/adapter-document.js';
import { adapterNotFound } from '../../core/adapter-names.js';
import { Problem } from '../../core/problem.js';
import type { PendingCommit } from '../../core/record-history.js';
import { startingReason, type AdapterInstance } from '../../core/snapshot.js';

/** An adapter as clients see it, from a file or from the API. */
export interface AdapterView {
  readonly document: AdapterDocument;
  /** Model in replies: the package-like name of a plugin that comes with the product, or the model of the document. */
  readonly model: string;
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

/** Returns the document of an adapter as replies show it. */
export function shownDocument({ document, model }: AdapterView): AdapterDocument {
  return { ...document, model };
}

/** Read access to the current adapters, and admission of new documents. */
export interface AdapterDirectory {
  /** Returns the adapters from files, then the registered adapters, each sorted by name. */
  readonly list: () => readonly AdapterView[];
  readonly find: (name: string) => AdapterView | undefined;
  /** Returns a document of the store, also if another version of this server wrote an invalid document. */
  readonly storedDocument: (name: string, document: Readonly<Record<string, unknown>>) => AdapterDocument;
  /** Returns the changes that wait for their confirmation, as the live state has them. */
  readonly pending: () => readonly PendingCommit[];
  /**
   * Returns a document that can be stored. Throws `invalid_request` with all errors. A plain-text secret is
   * an error, unless the operator configured that such secrets are written to Vault. An empty secret keeps
   * the existing reference. With `mayBeUndone`, a plain-text secret is always an error, because an undo cannot
   * restore the secret that Vault had.
   */
  readonly admit: (
    document: AdapterDocument,
    change?: { readonly mayBeUndone?: boolean },
  ) => Promise<AdapterDocument>;
}

/** Returns the adapter with this name, for callers who may see every adapter. Throws `adapter_not_found`. */
export function requireAdapter(adapters: AdapterDirectory, name = ''): AdapterView {
  const view = adapters.find(name);
  if (!view) throw adapterNotFound(name, namesOf(adapters.list()));
  return view;
}

/**
 * Returns the registered adapter with this name. Throws `adapter_not_found`, and `adapter_in_file` if a
 * configuration file defines the adapter.
 */
export function requireRegisteredAdapter(adapters: AdapterDirectory, name = ''): AdapterView {
  const view = requireAdapter(adapters, name);
  if (view.file !== undefined)
    throw new Problem('adapter_in_file', `the file ${view.file} defines the adapter "${name}"`);
  return view;
}

export function namesOf(views: readonly AdapterView[]): readonly string[] {
  return views.map(({ document }) => document.name);
}

/** Returns a reason without its full stop, as a part of a sentence. */
const clause = (reason: string) => reason.replace(/\.$/, '');

/**
 * Returns a sentence for the caller if the adapter does not serve as requested, for example because it is
 * dead; otherwise ''. The sentence begins with a space.
 */
export function statusNoteOf(adapters: AdapterDirectory, name: string): string {
  const view = adapters.find(name);
  if (!view) return '';
  const state = view.instance.state();
  if (view.behind !== undefined)
    return ` The adapter still runs as before, because the new configuration does not work: ${clause(view.behind)}.`;
  if (state.name === 'DEAD') return ` The adapter is dead: ${clause(state.reason)}.`;
  if (!view.isActive) return ' The active profile excludes the adapter, so it does not run.';
  if (state.name === 'STARTING') return ` The adapter does not serve yet: ${clause(startingReason(state))}.`;
  return '';
}
