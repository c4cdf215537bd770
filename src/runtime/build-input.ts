import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { Redactor } from '../domain/redactor.js';
import type { SecretSource } from '../secrets/resolve.js';
import type { Desired } from './desired.js';
import type { Rooms } from './rooms.js';

/** What a snapshot is built of. */
export interface BuildInput {
  readonly desired: Desired;
  readonly generation: number;
  readonly secrets: Pick<SecretSource, 'resolve'>;
  /** Learns the values that come from `secrets`, for as long as the snapshot is in use. */
  readonly redactor: Pick<Redactor, 'add'>;
  readonly rooms: Rooms;
  readonly log: Log;
  readonly clock: Clock;
}
