import type { ComponentOverrides } from './component.js';
import type {
  ActAction,
  ChangeNote,
  CommitKey,
  ConfirmedCommit,
  OperatorAct,
  PendingCommit,
  RecordVersionDocument,
  RemovedRecord,
  RevertedCommit,
  VersionPage,
} from './record-history.js';

/**
 * A JSON document with a unique name, as clients sent it: an adapter (wire section 5.1), a profile (5.4), an access rule or a
 * limit.
 */
export interface NamedRecord {
  readonly name: string;
  /**
   * Increases with each change. A name never has the same revision twice, even if the record is deleted and
   * created again.
   */
  readonly revision: number;
  /** 24 hexadecimal digits; never changes. */
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Kinds of components that operators can control. */
export type ComponentKind = 'adapter' | 'application';

/** State that was set through the API. Together with the configuration files, it determines what runs. */
export interface PlatformState {
  /** Increases with each change, so that other nodes of a cluster can detect changes. */
  readonly revision: number;
  /** Adapters, sorted by name. */
  readonly adapters: readonly NamedRecord[];
  /** Access rules, sorted by name. */
  readonly accessRules: readonly NamedRecord[];
  /** Limits of callers, sorted by name. */
  readonly limits: readonly NamedRecord[];
  readonly overrides: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOverrides>>>;
  /** Changes that are undone unless they are confirmed. */
  readonly pending: readonly PendingCommit[];
  /**
   * Milliseconds that the clock of the database, by which pending changes end, is ahead of the clock of this process; 0 if
   * both are the same.
   */
  readonly storeAheadMs: number;
  /** The active profile; absent if no profile is active. */
  readonly profile?: NamedRecord;
}

/** The empty state. */
export const NO_STATE: PlatformState = {
  revision: 0,
  adapters: [],
  accessRules: [],
  limits: [],
  overrides: { adapter: new Map(), application: new Map() },
  pending: [],
  storeAheadMs: 0,
};

/**
 * Reason why a record was not changed: the record does not exist, or its revision differs from the revision
 * that the caller read.
 */
export type Unchanged = 'absent' | 'stale';

/** Name of a record, and the revision that the caller read; absent: any revision. */
export interface RecordKey {
  readonly name: string;
  readonly revision?: number | undefined;
}

/**
 * Storage of the records of one kind. Each change stores a version of the record. A change of another caller
 * throws `confirmation_pending` while a change of the record waits for its confirmation.
 */
export interface RecordStore {
  /** Returns all records, sorted by name. */
  list(): Promise<readonly NamedRecord[]>;
  find(name: string): Promise<NamedRecord | undefined>;
  /** Creates a record. Returns the stored record; undefined if the name is taken. */
  create(record: Omit<NamedRecord, 'revision'>, note?: ChangeNote): Promise<NamedRecord | undefined>;
  /**
   * Replaces the document of a record with the result of `change`. The record is locked meanwhile. `replaced` is
   * the pending commit that the update ends or extends.
   */
  update(
    key: RecordKey,
    change: (
      document: NamedRecord['document'],
      replaced: ConfirmedCommit | undefined,
    ) => NamedRecord['document'],
    note?: ChangeNote,
  ): Promise<NamedRecord | Unchanged>;
  /**
   * Removes a record and returns it. Also deletes the overrides of a removed adapter, and deactivates a
   * removed profile.
   */
  remove(key: RecordKey, note?: ChangeNote): Promise<NamedRecord | Unchanged>;
  /** Returns one page of the versions, newest first; undefined if no record has had this name. */
  versions(
    name: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<VersionPage | undefined>;
  version(name: string, revision: number): Promise<RecordVersionDocument | undefined>;
  /** Returns the deleted records that still have versions, the last deleted record first. */
  removed(): Promise<readonly RemovedRecord[]>;
}

/** Entry of the timeline for a change of overrides. */
export interface OverridesAct {
  readonly entry: {
    readonly action: ActAction;
    readonly until?: number | undefined;
    readonly detail?: string | undefined;
  };
  readonly note: ChangeNote;
}

export interface Activation {
  readonly previous: string | undefined;
  /** Pending commit that the activation ended or extended. */
  readonly replaced: ConfirmedCommit | undefined;
}

/** Storage of the platform state. Every write is atomic and, if it changes something, increments the state's revision. */
export interface PlatformStore {
  /** Returns a consistent state. */
  read(): Promise<PlatformState>;
  /** Returns only the revision. */
  revision(): Promise<number>;
  readonly adapters: RecordStore;
  readonly profiles: RecordStore;
  readonly accessRules: RecordStore;
  readonly limits: RecordStore;
  /**
   * Activates a profile; undefined deactivates the active profile. Returns the replaced state; undefined if the
   * profile does not exist.
   */
  activate(profile: string | undefined, note?: ChangeNote): Promise<Activation | undefined>;
  /**
   * Changes the overrides of a component. Returns the new overrides. Nothing is stored if `change` returns its
   * argument.
   */
  overrides(
    component: { readonly kind: ComponentKind; readonly name: string },
    change: (overrides: ComponentOverrides) => ComponentOverrides,
    act?: (before: ComponentOverrides) => OverridesAct,
  ): Promise<ComponentOverrides>;
  /** Returns the pending commit with the state to which it returns. */
  commit(key: CommitKey): Promise<ConfirmedCommit | undefined>;
  /** Makes the pending commits with these keys permanent, all or none. Returns them; none if nothing is pending. */
  confirm(keys: readonly CommitKey[], note: ChangeNote): Promise<readonly ConfirmedCommit[]>;
  /**
   * Undoes the pending commits with these keys, all or none; with `dueAt`, the time of this process, only those whose time has
   * passed by the clock of the database. Returns what was undone.
   */
  revert(
    keys: readonly CommitKey[],
    end: { readonly note: ChangeNote; readonly dueAt?: number },
  ): Promise<readonly RevertedCommit[]>;
  /** Returns the acts of operators at or after a time, oldest first. */
  acts(from: number): Promise<readonly OperatorAct[]>;
}
