import type { RunInTurn } from '../../core/lib/run-in-turn.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord, PlatformStore } from '../../core/platform-state.js';

/** What runs at this moment. */
export interface LiveProfile {
  /** The profile that is in effect, as it was when it was taken up. */
  readonly profile?: NamedRecord | undefined;
  /** Ids of the adapters that are to run. */
  readonly wanted: readonly string[];
  /** Those of them that do, or still try to. */
  readonly running: readonly string[];
}

/** What the profiles may touch. */
export interface ProfilesDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'profiles' | 'activate'>;
  /** A full profile of what a client sent, or what keeps it from being kept; pointers count from the profile. */
  readonly openProfile: (
    sent: Readonly<Record<string, unknown>>,
  ) => { readonly value: NamedRecord['document'] } | { readonly faults: readonly LocatedFault[] };
  readonly live: () => LiveProfile;
  /** Makes what is kept live; resolves to the faults that refuse it, and then nothing has changed. */
  readonly apply: () => Promise<readonly Fault[]>;
  /** One at a time, so that nobody builds on what is put back. */
  readonly inTurn: RunInTurn;
  /** 24 hexadecimal digits that no record has had. */
  readonly newRecordId: () => string;
}
