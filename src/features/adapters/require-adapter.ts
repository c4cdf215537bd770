import type { AdapterDirectory, AdapterView } from '../../core/adapter-document.js';
import { adapterNotFound } from '../../core/adapter-names.js';
import { Problem } from '../../core/problem.js';
import { startingReason } from '../../core/snapshot.js';

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
