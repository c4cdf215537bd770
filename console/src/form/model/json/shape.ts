/** What has to be known of a place to compare two states of it: which members tell the entries of a list apart. */
export interface Shape {
  readonly keys: readonly string[];
  readonly memberShape: (name: string) => Shape | undefined;
  readonly itemShape: () => Shape | undefined;
}

/** The keys of a list at a place that may not be known. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  return shape?.keys ?? [];
}
