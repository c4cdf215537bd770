/** Returns one member of each object, or a list of several of its members. */
export function pluck<T>(objects: Iterable<T>, ...names: readonly (keyof T)[]): readonly unknown[] {
  return Array.from(objects, (object) => {
    const [only, ...others] = names.map((name) => object[name]);
    return others.length === 0 ? only : [only, ...others];
  });
}
