import type { ComponentOverrides } from './component.js';

/** A JSON document under a unique name: an adapter (wire section 5.1) or a profile (5.4), as clients sent it. */
export interface NamedRecord {
  readonly name: string;
  /** Grows with each change. A name never has the same one twice, even when it is deleted and given again. */
  readonly revision: number;
  /** 24 hexadecimal digits; stays the same for life. */
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Two kinds of what operators ask things of. */
export type ComponentKind = 'adapter' | 'application';

/** What was asked for through the API: with the files of the configuration it makes up what runs. */
export interface PlatformState {
  /** Counts all changes, so that another node of a cluster sees that there was one. */
  readonly revision: number;
  /** By name. */
  readonly adapters: readonly NamedRecord[];
  readonly overrides: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOverrides>>>;
  /** The active profile, if there is one. */
  readonly profile?: NamedRecord;
}

/** Nothing was asked for. */
export const NO_STATE: PlatformState = {
  revision: 0,
  adapters: [],
  overrides: { adapter: new Map(), application: new Map() },
};

/** Why a record was not changed: there is none, or it is not at the revision that the caller saw. */
export type Unchanged = 'absent' | 'stale';

/** Which record, and the revision that the caller saw; absent: whichever it is. */
export interface RecordKey {
  readonly name: string;
  readonly revision?: number | undefined;
}

/** The records of one kind. */
export interface RecordStore {
  /** All of them, by name. */
  list(): Promise<readonly NamedRecord[]>;
  find(name: string): Promise<NamedRecord | undefined>;
  /** Resolves to what is kept; undefined when the name is taken. */
  create(record: Omit<NamedRecord, 'revision'>): Promise<NamedRecord | undefined>;
  /** Changes one; `change` sees the state that nobody else can change meanwhile. */
  update(
    key: RecordKey,
    change: (document: NamedRecord['document']) => NamedRecord['document'],
  ): Promise<NamedRecord | Unchanged>;
  /** Resolves to what was deleted. What operators asked of it is forgotten, and a profile is no longer active. */
  remove(key: RecordKey): Promise<NamedRecord | Unchanged>;
}

/** What the API keeps. Every write counts the state's revision up, and is whole or not at all. */
export interface PlatformStore {
  /** One consistent look. */
  read(): Promise<PlatformState>;
  /** The revision alone. */
  revision(): Promise<number>;
  readonly adapters: RecordStore;
  readonly profiles: RecordStore;
  /** Makes a profile the active one; undefined makes none active. False when there is none of this name. */
  activate(profile: string | undefined): Promise<boolean>;
  /** Changes what is wanted of a component; resolves to what is wanted now. */
  overrides(
    component: { readonly kind: ComponentKind; readonly name: string },
    change: (overrides: ComponentOverrides) => ComponentOverrides,
  ): Promise<ComponentOverrides>;
}
