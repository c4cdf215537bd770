import type { CacheChange } from '../../core/read-cache.js';

/** Where a change was made: in this process, in another process of this server, or at another node. */
type ChangeOrigin = 'process' | 'node';

/** Passes changes on to others. Resolves when they know the change; a rejection means that they may not. */
type SendChange = (change: CacheChange, origin: ChangeOrigin) => Promise<void>;

/** The changes that remove replies from caches, in this process and in others. */
export interface CacheChanges {
  /** Calls back with the path of each change of the adapter, from any process. The returned function ends this. */
  subscribe(adapter: string, onChange: (path: string | null) => void): () => void;
  /** Applies a change in this process, then passes it on. Never rejects. */
  report(change: CacheChange, origin?: ChangeOrigin): Promise<void>;
  /** Applies a change in this process only. */
  readonly apply: (change: CacheChange) => void;
  /** Adds a function that passes changes on; the returned function removes it. */
  addSender(send: SendChange): () => void;
}

/** Creates the changes of a process, without receivers. */
export function createCacheChanges(): CacheChanges {
  const listeners = new Map<string, Set<(path: string | null) => void>>();
  const senders = new Set<SendChange>();
  const apply = ({ adapter, path }: CacheChange): void => {
    const groups = adapter === null ? [...listeners.values()] : [listeners.get(adapter) ?? []];
    for (const group of groups) for (const onChange of group) onChange(path);
  };
  return {
    subscribe(adapter, onChange) {
      const group = listeners.get(adapter) ?? new Set();
      listeners.set(adapter, group.add(onChange));
      return () => {
        group.delete(onChange);
        if (group.size === 0 && listeners.get(adapter) === group) listeners.delete(adapter);
      };
    },
    async report(change, origin = 'process') {
      apply(change);
      await Promise.allSettled([...senders].map((send) => send(change, origin)));
    },
    apply,
    addSender(send) {
      senders.add(send);
      return () => senders.delete(send);
    },
  };
}
