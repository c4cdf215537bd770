import type { RunInTurn } from '../../core/lib/run-in-turn.js';
import type { AdapterDirectory } from '../../core/adapter-directory.js';
import type { ApplicationInstance, ComponentOverrides } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { LogLevel } from '../../core/log.js';
import type { ComponentKind, PlatformStore, RecordStore } from '../../core/platform-state.js';

/** What the lifecycle of components needs: the way to ask something of one, and the way to make it happen. */
export interface LifecycleDeps {
  /** Keeps what is wanted of a component. */
  readonly overrides: PlatformStore['overrides'];
  /** Makes what was asked for live; resolves to what keeps it from that. */
  readonly apply: () => Promise<readonly Fault[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Changes of a component from release to release, as its own CHANGELOG.md tells them; undefined when it has none. */
  readonly changelogOf: (kind: ComponentKind, name: string) => Promise<string | undefined>;
}

/** What the operations on adapters may touch. */
export interface AdaptersDeps extends LifecycleDeps {
  readonly adapters: AdapterDirectory;
  readonly adapterRecords: RecordStore;
  /** Makes ids of 24 hexadecimal digits. */
  readonly newRecordId: () => string;
  /** One change at a time, of adapters and of profiles: nobody builds on what is about to change. */
  readonly inTurn: RunInTurn;
}

/** What the operations on applications may touch. */
export interface ApplicationsDeps extends LifecycleDeps {
  readonly applications: () => readonly ApplicationView[];
}

/** An application as clients see it. */
export interface ApplicationView extends ApplicationInstance {
  readonly overrides: ComponentOverrides;
  /** Level of its log lines where nothing else is wanted. */
  readonly presetLevel: LogLevel;
}
