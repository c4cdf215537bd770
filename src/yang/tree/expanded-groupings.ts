import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { SchemaNode } from './schema-node.js';

/** The nodes of a grouping. */
export interface ExpandedNodes {
  readonly nodes: readonly SchemaNode[];
  /** Number of the nodes at all levels, and of the uses of groupings among them. */
  readonly counts: { readonly nodes: number; readonly uses: number };
}

/** Nodes of a grouping for a module, of which each further `uses` statement takes a copy. */
interface ExpandedGrouping extends ExpandedNodes {
  /** Number of levels of the nodes. */
  readonly height: number;
}

type State = ExpandedGrouping | 'used once' | 'with faults';

/** How a grouping is expanded, and whether its nodes may be copied once more. */
interface Expansion {
  readonly expand: () => ExpandedNodes | undefined;
  readonly mayCopy: (expanded: ExpandedGrouping) => boolean;
}

/**
 * Expanded groupings by module. A grouping is expanded in place for its first use, because most have only one: a copy would
 * cost more than the nodes.
 */
export class ExpandedGroupings {
  readonly #byModule = new Map<YangModule, Map<Statement, State>>();
  /** Numbers of levels of the nodes whose children are shared. */
  readonly #heights = new Map<SchemaNode, number>();

  /**
   * Returns the nodes of an expanded grouping, of which `mayCopy` allows another copy; undefined for the first use of the grouping, and
   * for a grouping with faults, which are reported where it is used.
   */
  of(
    grouping: Statement,
    module: YangModule,
    { expand, mayCopy }: Expansion,
  ): readonly SchemaNode[] | undefined {
    let groupings = this.#byModule.get(module);
    if (!groupings) this.#byModule.set(module, (groupings = new Map<Statement, State>()));
    const known = groupings.get(grouping);
    if (known === undefined) groupings.set(grouping, 'used once');
    if (known === undefined || known === 'with faults') return undefined;
    if (known !== 'used once') return mayCopy(known) ? known.nodes : undefined;
    const expanded = expand();
    const complete = expanded && { ...expanded, height: this.#heightOf(expanded.nodes) };
    groupings.set(grouping, complete ?? 'with faults');
    return complete?.nodes;
  }

  /** Forgets all groupings. */
  clear(): void {
    this.#byModule.clear();
    this.#heights.clear();
  }

  #heightOf(nodes: readonly SchemaNode[]): number {
    let height = 0;
    for (const node of nodes) height = Math.max(height, 1 + this.#heightBelow(node));
    return height;
  }

  #heightBelow(node: SchemaNode): number {
    const { origin } = node;
    if (!origin) return this.#heightOf(node.children);
    let height = this.#heights.get(origin);
    if (height === undefined) this.#heights.set(origin, (height = this.#heightOf(origin.children)));
    return height;
  }
}
