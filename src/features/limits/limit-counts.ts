/** What a node asks for one caller at one limit. */
export interface PortionRequest {
  /** Identifies the limit and the caller. */
  readonly id: string;
  /** Rate of the limit; null if it is not limited. */
  readonly rate: {
    readonly capacity: number;
    /** Time after which one more call is permitted, in milliseconds. */
    readonly refillMs: number;
    /** Calls that wait. */
    readonly needed: number;
    /** Calls to take in advance, if the other nodes can spare them. */
    readonly wanted: number;
    /** Calls that the node holds in advance already. */
    readonly held: number;
    /** Unused calls that the node returns. */
    readonly returned: number;
    /** Calls that the node has admitted without a portion. */
    readonly spent: number;
  } | null;
  /** Concurrent calls of the limit; null if they are not limited. */
  readonly slots: {
    readonly maximum: number;
    /** Slots that the node needs in total, in place of those that it holds. */
    readonly needed: number;
  } | null;
}

/** What the node receives for one caller. */
export interface Portion {
  /** Calls that the node may admit. */
  readonly calls: number;
  /** Calls that are left for all nodes. */
  readonly left: number;
  /** Milliseconds until the next call is permitted; 0 if calls are left or were granted. */
  readonly waitMs: number;
  /** Slots that the node holds in total. */
  readonly slots: number;
}

/** How long a node counts. */
interface ReportTerms {
  /** Time of the system clock, which counts for SQLite. */
  readonly now: number;
  readonly ttlMs: number;
  readonly isFresh: boolean;
}

/** The nodes after a report. */
interface NodeReport {
  /** Number of nodes that share the counts. */
  readonly nodes: number;
  /** True if another node had removed this node and its slots. */
  readonly isForgotten: boolean;
}

/** Counts of limits that the nodes of a cluster share. */
export interface LimitCountStore {
  /**
   * Exchanges portions in one transaction; returns those of all requests, in their order, and the number of nodes that share the
   * counts. `now` is the time of the system clock, which counts for SQLite. Throws `store_unavailable`.
   */
  exchange(
    requests: readonly PortionRequest[],
    terms: { readonly now: number },
  ): Promise<{ readonly portions: readonly Portion[]; readonly nodes: number }>;
  /**
   * Reports that this node counts, and removes counts that are over. `ttlMs` is the time after which the slots of a node that
   * no longer reports are free; `isFresh` frees the slots of this node. Throws `store_unavailable`.
   */
  report(terms: ReportTerms): Promise<NodeReport>;
  /** Frees the slots of this node, which no longer counts. Throws `store_unavailable`. */
  leave(): Promise<void>;
}
