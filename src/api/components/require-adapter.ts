import type { AdapterDirectory, AdapterView } from '../../core/adapter-directory.js';
import { Problem } from '../../core/problem.js';

/** Returns the adapter with this name. Throws `adapter_not_found`. */
export function foundAdapter(adapters: AdapterDirectory, name = ''): AdapterView {
  const view = adapters.find(name);
  if (!view) throw absentAdapter(name);
  return view;
}

/**
 * Returns the registered adapter with this name. Throws `adapter_not_found`, and `adapter_in_file` if a
 * configuration file defines the adapter.
 */
export function registeredAdapter(adapters: AdapterDirectory, name = ''): AdapterView {
  const view = foundAdapter(adapters, name);
  if (view.file !== undefined)
    throw new Problem('adapter_in_file', `the adapter "${name}" stands in the file ${view.file}`);
  return view;
}

/** Creates the Problem for a name that no adapter has. */
export function absentAdapter(name: string): Problem {
  return new Problem('adapter_not_found', `there is no adapter "${name}"`);
}

/** Returns a note for the caller if the adapter does not do what was requested; otherwise ''. */
export function butOf(adapters: AdapterDirectory, name: string): string {
  const view = adapters.find(name);
  if (!view) return '';
  const state = view.instance.state();
  if (view.behind !== undefined)
    return ` The adapter serves in its former form, because the new one does not work: ${view.behind}.`;
  if (state.name === 'DEAD') return ` The adapter is dead: ${state.reason}.`;
  if (!view.isActive) return ' The active profile leaves it out, so it does not run.';
  if (state.name === 'STARTING') return ' It has not started yet, because its orchestrator does not answer.';
  return '';
}
