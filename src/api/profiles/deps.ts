import type { RunInTurn } from '../../core/lib/run-in-turn.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord, PlatformStore } from '../../core/platform-state.js';

/** The active profile and the adapters that currently run. */
export interface LiveProfile {
  /** The profile in effect, as it was when it was applied. */
  readonly profile?: NamedRecord | undefined;
  /** Ids of the adapters that should run. */
  readonly wanted: readonly string[];
  /** Ids of the wanted adapters that run, or still try to start. */
  readonly running: readonly string[];
}

/** Dependencies of the profile operations. */
export interface ProfilesDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'profiles' | 'activate'>;
  /**
   * Returns the complete profile for a client's input, or its faults; pointers are relative to the profile.
   */
  readonly openProfile: (
    sent: Readonly<Record<string, unknown>>,
  ) => { readonly value: NamedRecord['document'] } | { readonly faults: readonly LocatedFault[] };
  readonly live: () => LiveProfile;
  /** Applies the stored records; if they are refused, resolves to the faults and changes nothing. */
  readonly apply: () => Promise<readonly Fault[]>;
  /** Serializes changes, so that no change is based on a change that is undone. */
  readonly runInTurn: RunInTurn;
  /** Creates a unique id of 24 hexadecimal digits. */
  readonly newRecordId: () => string;
}
