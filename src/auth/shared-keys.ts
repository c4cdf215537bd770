import type { KeySource } from './issuer.js';

/**
 * Key sources that outlive a reload. A request for the same name returns the same source and the keys that it
 * holds.
 */
export interface SharedKeys {
  /** Returns the source of a name, opened on first use. The source closes when all users have closed it. */
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
