/** Returns a copy of an object without some of its members. */
export function omit<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  const left = Object.entries(value).filter(([name]) => !(names as readonly PropertyKey[]).includes(name));
  return Object.fromEntries(left) as Omit<T, K>;
}
