import type { AdapterPolicy } from '../../core/access-policy.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import type { ApplicationInstance, ComponentOverrides } from '../../core/component.js';
import type { ConnectionStep } from '../../core/connection-test.js';
import type { Fault } from '../../core/fault.js';
import type { LogLevel } from '../../core/log.js';
import type { ComponentKind, PlatformStore, RecordStore } from '../../core/platform-state.js';
import type { ReplyMemories } from '../../core/reply-memory.js';
import type { AdapterInstance, LeaseAdapter } from '../../core/snapshot.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { RunInTurn } from '../../lib/serial-queue.js';
import type { BindCall, ListMethods, MethodArguments } from './method-list.js';
import type { AdapterDirectory } from './require-adapter.js';

/** Dependencies of the lifecycle operations of components. */
export interface LifecycleDeps {
  /** Stores the overrides of a component, for example its desired state and log levels. */
  readonly overrides: PlatformStore['overrides'];
  /** Applies the stored overrides and records; resolves to the faults that prevent it. */
  readonly apply: () => Promise<readonly Fault[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves to the CHANGELOG.md of a component; undefined if the component has no changelog. */
  readonly changelogOf: (kind: ComponentKind, name: string) => Promise<string | undefined>;
}

export interface AdaptersDeps extends LifecycleDeps {
  readonly adapters: AdapterDirectory;
  /** Returns who may call what through each adapter, by adapterId. */
  readonly policies: () => ReadonlyMap<string, AdapterPolicy>;
  readonly adapterRecords: RecordStore;
  readonly commits: PlatformStore;
  /** Creates an id of 24 hexadecimal digits. */
  readonly newRecordId: () => string;
  /** Serializes changes of adapters and profiles, so that no change is based on an outdated state. */
  readonly runInTurn: RunInTurn;
  /** Access to an adapter for a call of a method. */
  readonly leaseAdapter: LeaseAdapter;
  /** Absent: the memory of this process. */
  readonly replyMemories?: ReplyMemories;
  /** Renews an instance whose credentials the orchestrator refused. */
  readonly renew: (refused: AdapterInstance) => Promise<unknown>;
  /** Removes the replies of an adapter from its cache. Resolves when the other processes and the database know it. */
  readonly forgetReplies: (adapter: string) => Promise<void>;
  /** Tests connections of adapters, saved or not. */
  readonly connections: ConnectionTester;
  readonly listMethods: ListMethods;
  readonly bindCall: BindCall;
  readonly methodArguments: MethodArguments;
}

export interface ApplicationsDeps extends LifecycleDeps {
  readonly applications: () => readonly ApplicationView[];
}

/** An application as clients see it. */
export interface ApplicationView extends ApplicationInstance {
  readonly overrides: ComponentOverrides;
  /** Log level without overrides. */
  readonly presetLevel: LogLevel;
}

/** Results of one base URL. */
export interface TargetTest {
  readonly baseUrl: string;
  readonly steps: readonly ConnectionStep[];
}

export interface ConnectionTest {
  /** False if a step of a base URL failed. */
  readonly ok: boolean;
  readonly targets: readonly TargetTest[];
}

/** A finished test, with all targets that may have received credentials. */
export interface FinishedTest {
  readonly test: ConnectionTest;
  /** Base URLs, proxy, URLs of tokens and hosts of options, as origins. */
  readonly hosts: readonly string[];
}

export interface TestCaller {
  /** Identifies the person or program, for the limit of tests at a time. */
  readonly id: string;
  readonly roles: readonly string[];
  readonly signal: CancelSignal;
}

/**
 * Tests the connections of adapters. Throws `adapter_forbidden` if access rules admit no call of the caller through the adapter, and
 * `too_many_requests` if the same adapter was tested a moment ago, or if the caller already runs the most tests at a time.
 */
export interface ConnectionTester {
  /** Tests a document that is not stored. Throws `invalid_request` with its faults. */
  readonly testUnsaved: (document: AdapterDocument, caller: TestCaller) => Promise<FinishedTest>;
  /** Tests an adapter of the configuration; undefined if it does not exist. */
  readonly testSaved: (name: string, caller: TestCaller) => Promise<FinishedTest | undefined>;
}
