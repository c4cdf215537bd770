/** Storage for texts, such as the session storage of a browser. */
interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

interface PathOwner {
  readonly user: string;
  readonly adapter: string;
}

/** Maximum number of remembered paths for each adapter. */
const MAX_PATHS = 20;

/** Returns the paths that a user has sent through an adapter, newest first; unreadable entries are ignored. */
export function pathsOf(store: TextStore, owner: PathOwner): readonly string[] {
  try {
    const found: unknown = JSON.parse(store.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(found) ? found.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers a path without its query, which may contain a secret. Returns all remembered paths. */
export function rememberPath(store: TextStore, owner: PathOwner, path: string): readonly string[] {
  const [plain = ''] = path.split('?');
  const others = pathsOf(store, owner).filter((known) => known !== plain);
  const all = [plain, ...others].slice(0, MAX_PATHS);
  try {
    store.setItem(keyOf(owner), JSON.stringify(all));
  } catch {
    // A full storage must not prevent the request from being shown.
  }
  return all;
}

function keyOf({ user, adapter }: PathOwner): string {
  return `gatehouse.try-paths.${JSON.stringify([user, adapter])}`;
}
