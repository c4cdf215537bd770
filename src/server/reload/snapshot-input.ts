import type { Redactor } from '../../core/redactor.js';
import type { BuildInput } from './build-input.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import type { Resolved } from './resolve-sections.js';

/** What a snapshot is built of. */
export interface SnapshotInput extends BuildInput {
  readonly generation: number;
  readonly resolved: Resolved;
  /** Learns the values that came from Vault, for as long as a part that has them is in use. */
  readonly redactor: Pick<Redactor, 'add'>;
  /** The snapshot that is live; its parts serve on where nothing about them changed. */
  readonly previous?: ActiveSnapshot;
  /** The pieces to look at again, by name; the others keep their parts. Absent: all. */
  readonly only?: ReadonlySet<string>;
  /** Fires when the server stops: then nobody waits for the start of an adapter any more. */
  readonly stopping?: AbortSignal;
}
