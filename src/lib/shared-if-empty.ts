const EMPTY: ReadonlyMap<never, never> = new Map<never, never>();

/** Returns the same empty map for every empty map: there are thousands of adapters, and most of their maps are empty. */
export function sharedIfEmpty<K, V>(map: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  return map.size === 0 ? EMPTY : map;
}
