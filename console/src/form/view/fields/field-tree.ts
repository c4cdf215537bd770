import type { Row } from '../../model/index.js';

/** A row with the rows below it. */
export interface FieldNode {
  readonly row: Row;
  /** Index of the row among all visible rows. */
  readonly index: number;
  readonly children: readonly FieldNode[];
}

interface GrowingNode extends FieldNode {
  readonly children: GrowingNode[];
}

/** Returns rows as a tree, by their levels. */
export function fieldTree(rows: readonly Row[]): readonly FieldNode[] {
  const top: GrowingNode[] = [];
  const path: GrowingNode[] = [];
  rows.forEach((row, index) => {
    while (path.length > 0 && (path.at(-1)?.row.level ?? 0) >= row.level) path.pop();
    const node: GrowingNode = { row, index, children: [] };
    (path.at(-1)?.children ?? top).push(node);
    path.push(node);
  });
  return top;
}
