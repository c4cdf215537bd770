import type { Content } from './form-state.js';

/** Returns the current index of a list entry; undefined for a removed entry. */
export type NewIndex = (index: number) => number | undefined;

/** Returns the state of rows below the entries of a list, under their new ids. */
export function renamedEntries(content: Content, list: string, newIndex: NewIndex): Partial<Content> {
  const rename = (id: string) => renamed(id, list, newIndex);
  return {
    open: renamedKeys(content.open, rename),
    chosen: renamedKeys(content.chosen, rename),
    aside: renamedKeys(content.aside, rename),
    errors: content.errors.flatMap((error) => {
      const pointer = rename(error.pointer);
      return pointer === undefined ? [] : [pointer === error.pointer ? error : { ...error, pointer }];
    }),
  };
}

function renamed(id: string, list: string, newIndex: NewIndex): string | undefined {
  if (!id.startsWith(`${list}/`)) return id;
  const [index = '', ...rest] = id.slice(list.length + 1).split('/');
  if (!/^\d+$/.test(index)) return id;
  const now = newIndex(Number(index));
  return now === undefined ? undefined : [list, now, ...rest].join('/');
}

function renamedKeys<T>(
  map: ReadonlyMap<string, T>,
  rename: (id: string) => string | undefined,
): ReadonlyMap<string, T> {
  const entries = [...map].flatMap(([id, value]) => {
    const now = rename(id);
    return now === undefined ? [] : [[now, value] as const];
  });
  return new Map(entries);
}
