/**
 * Facts about a location that are needed to compare two states: for example, the keys that identify list
 * entries.
 */
export interface Shape {
  readonly keys: readonly string[];
  readonly memberShape: (name: string) => Shape | undefined;
  readonly itemShape: () => Shape | undefined;
}

/** Returns the keys of a list at a location that may be unknown. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  return shape?.keys ?? [];
}
