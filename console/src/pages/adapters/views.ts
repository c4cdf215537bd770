/** A named set of filters: the query of the page of adapters. */
export interface SavedView {
  readonly name: string;
  /** Query without a question mark: `state=problem&tag=core`. */
  readonly query: string;
}

const KEY = 'gatehouse.views.adapters';
/** Maximum number of views that a browser keeps. */
const MAX_VIEWS = 50;
/** Parameters of the page that belong to a view. */
const VIEW_PARAMETERS = ['q', 'state', 'type', 'tag', 'sort'];

/** Returns the part of a query that a view keeps: filters and order, without page and time. */
export function viewQuery(search: string): string {
  const found = new URLSearchParams(search);
  const kept = VIEW_PARAMETERS.flatMap((name) => {
    const value = found.get(name);
    return value === null || value === '' ? [] : [[name, value] as [string, string]];
  });
  return new URLSearchParams(kept).toString();
}

/** Reads the views of this browser; none if the storage is not available or has other content. */
export function readViews(
  storage: () => { readonly getItem: (key: string) => string | null },
): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Stores the views; returns false if the browser refuses to. */
export function writeViews(
  storage: () => { readonly setItem: (key: string, value: string) => void },
  views: readonly SavedView[],
): boolean {
  try {
    storage().setItem(KEY, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** Returns the views with one more; a view of the same name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_VIEWS);
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'string';
}
