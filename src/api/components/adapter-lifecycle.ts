import { Problem } from '../../core/problem.js';
import type { AdaptersDeps } from './deps.js';
import { butOf, foundAdapter } from './require-adapter.js';
import type { Lifecycle } from './lifecycle.js';

/** Lifecycle of all adapters, both those of files and registered ones. */
export const adapterLife: Lifecycle<AdaptersDeps> = {
  kind: 'adapter',
  noun: 'Adapter',
  find: ({ adapters }, name) => foundAdapter(adapters, name),
  but: ({ adapters }, name) => butOf(adapters, name),
  unwrapLegacy({ adapters }, name) {
    const { document, file } = foundAdapter(adapters, name);
    if (document.properties.properties['enabled'] !== false) return;
    const where = file === undefined ? 'its properties' : `the file ${file}`;
    throw new Problem('adapter_in_file', `"enabled: false" in ${where} keeps the adapter "${name}" stopped`);
  },
};
