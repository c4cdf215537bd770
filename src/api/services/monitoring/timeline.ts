import type { Clock } from '../../../core/lib/clock.js';
import type { BreakerState, TimelineEvent } from '../../../core/monitoring.js';
import type { Connection } from '../../../core/connection.js';
import { RingBuffer } from '../../../core/lib/ring-buffer.js';
import type { AdapterInstance, AdapterState } from '../../../core/snapshot.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';
import { worstBreaker } from './adapter-status.js';

/** Events of the adapters, derived from the differences between samples. */
export interface Timeline {
  /** Takes a sample; returns true if it differs from the previous sample. */
  readonly sample: (snapshot: ActiveSnapshot) => boolean;
  /** Returns the events at or after this time, oldest first. */
  readonly since: (from: number) => readonly TimelineEvent[];
}

/** Maximum number of stored events. */
const MARKS = 500;

/** State of an adapter in a sample. */
interface TimelineState {
  readonly instance: AdapterInstance;
  readonly restarts: number;
  readonly state: AdapterState;
  readonly connection: Connection;
  readonly breaker: BreakerState | undefined;
}

type Note = Pick<TimelineEvent, 'kind' | 'text'>;

/** Creates a timeline with the current state of the adapters and the event that the server started. */
export function createMarks(first: ActiveSnapshot, clock: Clock): Timeline {
  const marks = new RingBuffer<TimelineEvent>(MARKS);
  let known = timelineStateOf(first);
  const note = (adapter: string | null, { kind, text }: Note): void => {
    marks.add({ at: Math.floor(clock.now()), adapter, kind, text });
  };
  note(null, { kind: 'started', text: 'gatehouse started' });
  return {
    sample(snapshot) {
      const now = timelineStateOf(snapshot);
      const gone = [...known.keys()].filter((name) => !now.has(name));
      const notes = [
        ...gone.map((name) => [name, { kind: 'removed', text: 'the adapter was removed' }] as const),
        ...[...now].flatMap(([name, standing]) =>
          notesOf(known.get(name), standing).map((one) => [name, one] as const),
        ),
      ];
      const isOther = gone.length > 0 || [...now].some(([name, one]) => !isAs(known.get(name), one));
      known = now;
      for (const [name, one] of notes) note(name, one);
      return isOther;
    },
    since: (from) => marks.all().filter(({ at }) => at >= from),
  };
}

function timelineStateOf({ adapters, desired }: ActiveSnapshot): ReadonlyMap<string, TimelineState> {
  const restarts = new Map(desired.adapters.map(({ id, overrides }) => [id, overrides.restarts]));
  return new Map(
    [...adapters].map(([name, instance]) => [
      name,
      {
        instance,
        restarts: restarts.get(name) ?? 0,
        state: instance.state(),
        connection: instance.connection(),
        breaker: worstBreaker(instance),
      },
    ]),
  );
}

function isAs(before: TimelineState | undefined, now: TimelineState): boolean {
  return (
    before?.instance === now.instance &&
    before.state.name === now.state.name &&
    before.connection.state === now.connection.state &&
    before.breaker === now.breaker
  );
}

function notesOf(before: TimelineState | undefined, now: TimelineState): readonly Note[] {
  return [lifeNote(before, now), connectionNote(before, now), breakerNote(before, now)].flatMap(
    (note) => note ?? [],
  );
}

function lifeNote(
  before: TimelineState | undefined,
  { instance, restarts, state }: TimelineState,
): Note | undefined {
  const changed = before?.state.name !== state.name;
  if (!changed && before.instance === instance) return undefined;
  if (state.name === 'DEAD') return { kind: 'broken', text: `the adapter is dead: ${state.reason}` };
  if (state.name === 'STOPPED')
    return changed ? { kind: 'stopped', text: 'the adapter was stopped' } : undefined;
  if (state.name !== 'RUNNING') return undefined;
  if (changed) return { kind: 'started', text: 'the adapter started' };
  return before.restarts === restarts
    ? { kind: 'configured', text: 'the adapter took up another configuration, or another secret' }
    : { kind: 'restarted', text: 'the adapter was restarted' };
}

function connectionNote(before: TimelineState | undefined, { connection }: TimelineState): Note | undefined {
  const { state, reason = 'its orchestrator does not answer' } = connection;
  if (before?.connection.state === state) return undefined;
  if (state === 'OFFLINE') return { kind: 'offline', text: reason };
  return state === 'ONLINE' && before?.connection.state === 'OFFLINE'
    ? { kind: 'online', text: 'its orchestrator answers again' }
    : undefined;
}

function breakerNote(before: TimelineState | undefined, { breaker }: TimelineState): Note | undefined {
  if (before?.breaker === breaker) return undefined;
  if (breaker === 'open')
    return { kind: 'breaker-open', text: 'its orchestrator failed too often and is left alone for a while' };
  return breaker === 'closed' && before?.breaker !== undefined
    ? { kind: 'breaker-closed', text: 'its orchestrator is asked again' }
    : undefined;
}
