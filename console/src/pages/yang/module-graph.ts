import type { ScannedModule } from './scan-yang.js';
import { text } from './yang-text.js';

/** How one module depends on another. */
type EdgeKind = 'import' | 'include' | 'augment' | 'deviation';

export interface GraphNode {
  readonly name: string;
  /**
   * `given` for a text on the page, `elsewhere` for a module from the server's folders or the orchestrator.
   */
  readonly kind: 'given' | 'elsewhere';
  readonly words: string;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
}

/** A line between two modules. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly kinds: readonly EdgeKind[];
}

/** A graph of module dependencies, from left to right. */
export interface ModuleGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

/** Size of a module in the graph. */
export const NODE = { width: 190, height: 46 } as const;
const GAP = { x: 90, y: 18 } as const;

/**
 * Arranges modules in columns: each module is to the right of all modules that depend on it. `counts`: number
 * of schema nodes by module.
 */
export function moduleGraph(
  modules: readonly ScannedModule[],
  counts: ReadonlyMap<string, number> = new Map(),
): ModuleGraph {
  const links = edgesOf(modules);
  const names = [
    ...new Set([...modules.map(({ name }) => name), ...links.flatMap(({ from, to }) => [from, to])]),
  ];
  const columns = columnsOf(names, links);
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const height = tallest * (NODE.height + GAP.y) - GAP.y;
  const nodes = columns.flatMap((column, x) => {
    const columnHeight = column.length * (NODE.height + GAP.y) - GAP.y;
    return column.map((name, y): GraphNode => {
      const scanned = modules.find((one) => one.name === name);
      return {
        name,
        kind: scanned ? 'given' : 'elsewhere',
        words: summaryOf(scanned, counts.get(name)),
        x: x * (NODE.width + GAP.x),
        y: (height - columnHeight) / 2 + y * (NODE.height + GAP.y),
      };
    });
  });
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const edges = links.flatMap(({ from, to, kinds }) => {
    const [a, b] = [byName.get(from), byName.get(to)];
    return a && b ? [{ from: a, to: b, kinds }] : [];
  });
  return { nodes, edges, width: Math.max(1, columns.length) * (NODE.width + GAP.x) - GAP.x, height };
}

interface ModuleEdge {
  readonly from: string;
  readonly to: string;
  readonly kinds: readonly EdgeKind[];
}

function edgesOf(modules: readonly ScannedModule[]): readonly ModuleEdge[] {
  const found = new Map<string, ModuleEdge>();
  for (const { name, imports, includes, augments, deviates, belongsTo } of modules) {
    const add = (kind: EdgeKind, from: string, to: string): void => {
      const key = `${from}\n${to}`;
      const kinds = found.get(key)?.kinds ?? [];
      if (!kinds.includes(kind) && from !== to) found.set(key, { from, to, kinds: [...kinds, kind] });
    };
    imports.forEach((to) => add('import', name, to));
    includes.forEach((to) => add('include', name, to));
    augments.forEach((to) => add('augment', name, to));
    deviates.forEach((to) => add('deviation', name, to));
    if (belongsTo !== undefined) add('include', belongsTo, name);
  }
  return [...found.values()];
}

/**
 * Groups names by their longest distance from a module that no other module depends on. The column index is
 * limited, so that cycles end.
 */
function columnsOf(names: readonly string[], links: readonly ModuleEdge[]): readonly (readonly string[])[] {
  const level = new Map(names.map((name) => [name, 0]));
  const moveRight = ({ from, to }: ModuleEdge): boolean => {
    const least = Math.min((level.get(from) ?? 0) + 1, names.length - 1);
    if ((level.get(to) ?? 0) >= least) return false;
    level.set(to, least);
    return true;
  };
  // `every` would stop after the first link that moves a module.
  while (links.map(moveRight).includes(true));
  const used = [...new Set(level.values())].sort((a, b) => a - b);
  return used.map((one) => names.filter((name) => level.get(name) === one).sort());
}

function summaryOf(scanned: ScannedModule | undefined, count: number | undefined): string {
  if (count !== undefined && count > 0) return text('graph.inSchema', { count });
  if (!scanned) return text('graph.notInList');
  if (scanned.nodes > 0) return text('graph.nodes', { count: scanned.nodes });
  if (scanned.typedefs > 0) return text('graph.types', { count: scanned.typedefs });
  return text('graph.groupings', { count: scanned.groupings });
}
