import { pathOf } from '../../api/request.js';

/** Maximum number of names that one request lists. */
const PAGE_SIZE = 500;

/** A folder that the picker shows. */
interface FolderQuery {
  readonly adapter: string;
  /** Path below the mount as in a reference; empty: the top of the scope. */
  readonly path: string;
  /** Text that the server searches in the folder; empty: all names. */
  readonly contains: string;
}

/** Returns the path that lists a folder. */
export function folderRequestPath({ adapter, path, contains }: FolderQuery): string {
  return pathOf(['console', 'vault', 'paths'], {
    adapter,
    ...(path !== '' && { path }),
    ...(contains !== '' && { contains }),
    limit: String(PAGE_SIZE),
  });
}

/** A folder above the open one. */
interface Ancestor {
  readonly name: string;
  readonly path: string;
}

/** Returns the folders from the top of the scope to the open one, whose parent is null at the top. */
export function ancestorsOf(path: string, top: string): readonly Ancestor[] {
  const segments = path === '' ? [] : path.split('/');
  const depth = top === '' ? 0 : top.split('/').length;
  const below = segments.slice(depth).map((segment, at) => ({
    name: decodeURIComponent(segment),
    path: segments.slice(0, depth + at + 1).join('/'),
  }));
  return [{ name: top === '' ? '/' : decodeURIComponent(top), path: top }, ...below];
}

/** Returns the entries whose name contains a text, in any letter case. */
export function matchingEntries<E extends { readonly name: string }>(
  entries: readonly E[],
  text: string,
): readonly E[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(wanted));
}
