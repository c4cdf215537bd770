/** A store of replies whose oldest entry can be removed. */
interface PoolMember {
  /** Size of the entries, in bytes. */
  bytes(): number;
  evictOldest(): void;
}

/** Limits the total size of all caches of this process. */
export interface CachePool {
  /** Adds a cache; the returned function removes it. */
  join(member: PoolMember): () => void;
  /** Removes entries of the largest cache until all caches together fit. */
  trim(): void;
}

/** Creates a pool of this size in bytes. */
export function createCachePool(maxBytes: number): CachePool {
  const members = new Set<PoolMember>();
  const total = (): number => [...members].reduce((sum, member) => sum + member.bytes(), 0);
  return {
    join(member) {
      members.add(member);
      return () => members.delete(member);
    },
    trim() {
      for (let bytes = total(); bytes > maxBytes;) {
        const [largest] = [...members].sort((one, other) => other.bytes() - one.bytes());
        if (!largest) return;
        const before = largest.bytes();
        largest.evictOldest();
        bytes -= before - largest.bytes();
      }
    },
  };
}
