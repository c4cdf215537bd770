import type { KeySource } from './issuer.js';

/** Key sources that outlive a reload: who asks for the same place again gets the same source, and the keys it holds. */
export interface SharedKeys {
  /** The source of a name, opened on first use; it is closed when all who took it have closed theirs. */
  take(name: string, open: () => KeySource): KeySource;
}

export function shareKeys(): SharedKeys {
  const held = new Map<string, { readonly source: KeySource; users: number }>();
  return {
    take(name, open) {
      const entry = held.get(name) ?? { source: open(), users: 0 };
      held.set(name, entry);
      entry.users += 1;
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (!isOpen) return;
        isOpen = false;
        entry.users -= 1;
        if (entry.users > 0) return;
        held.delete(name);
        await entry.source.close();
      };
      return { ...entry.source, close };
    },
  };
}
