import type { FaultList } from '../diagnostic.js';
import type { Budget } from '../limits.js';
import type { Features } from '../modules/features.js';
import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { Types } from '../types/resolve-type.js';
import type { ExpandedGroupings } from './expanded-groupings.js';
import type { SharedDefinitions } from './node-definition.js';

/** Services that build and check schema trees. */
export interface Linker {
  readonly names: Names;
  readonly features: Features;
  readonly types: Types;
  readonly budget: Budget;
  readonly faults: FaultList;
  /** Groupings that were expanded for a `uses` statement. */
  readonly usedGroupings: Set<Statement>;
  /** Conditions that a lenient compilation does not enforce, because they are invalid. */
  readonly unenforced: Set<Statement>;
  /** Definitions of the nodes of groupings, until the trees are complete. */
  readonly shared: SharedDefinitions;
  /** Expanded groupings, until the trees are complete. */
  readonly expanded: ExpandedGroupings;
}
