import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord, PlatformStore } from '../../core/platform-state.js';
import type { PendingCommit } from '../../core/record-history.js';
import type { RunInTurn } from '../../lib/serial-queue.js';

/** The active profile and the adapters that currently run. */
export interface LiveProfile {
  /** The profile in effect, as it was when it was applied. */
  readonly profile?: NamedRecord | undefined;
  /** Changes of profiles that wait for their confirmation. */
  readonly pending: readonly PendingCommit[];
  /** Ids of the adapters that should run. */
  readonly wanted: readonly string[];
  /** Ids of those adapters that run or are starting. */
  readonly running: readonly string[];
}

export interface ProfilesDeps {
  readonly platform: PlatformStore;
  readonly commits: PlatformStore;
  /**
   * Returns the profile to store for the input of a client, or the faults of that input. Pointers are relative
   * to the profile.
   */
  readonly openProfile: (
    sent: Readonly<Record<string, unknown>>,
  ) => { readonly value: NamedRecord['document'] } | { readonly faults: readonly LocatedFault[] };
  /** Returns a stored profile with the defaults of its missing members. */
  readonly completeProfile: (document: NamedRecord['document']) => NamedRecord['document'];
  readonly live: () => LiveProfile;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Applies the stored records. Resolves to the faults that prevent it; in that case, changes nothing. */
  readonly apply: () => Promise<readonly Fault[]>;
  /** Serializes changes, so that no change builds on another change that is undone later. */
  readonly runInTurn: RunInTurn;
  /** Creates a unique id of 24 hexadecimal digits. */
  readonly newRecordId: () => string;
}
