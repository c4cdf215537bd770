import type { YangModelStore } from '../../src/features/yang-forms/store.js';

/** Creates a store of YANG models in memory, without limits. */
export function memoryYangModels(): YangModelStore {
  const archives = new Map<string, string>();
  return {
    save({ digest, archive }) {
      archives.set(digest, archive);
      return Promise.resolve();
    },
    find: (digest) => Promise.resolve(archives.get(digest)),
  };
}
