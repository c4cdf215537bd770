import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { changesText, methodChanges } from '../../adapters/method-changes.js';
import type { Connection } from '../../core/adapter.js';
import { proofText, type SecretProof } from '../../core/secret-proof.js';
import type { AdapterInstance, AdapterState } from '../../core/snapshot.js';
import { pointerTokens } from '../../json/pointer.js';
import type { Clock } from '../../lib/clock.js';
import { RingBuffer } from '../../lib/ring-buffer.js';
import type { Desired } from '../../server/state/configuration.js';
import { restartNeeded } from '../../server/state/restart-needed.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SecretRotation } from '../secrets-page/secret-status-view.js';
import type { TimelineEvent } from '../traffic/traffic-view.js';
import { worstBreaker } from './adapter-status.js';
import type { BreakerState } from './monitoring.js';

/** Log of the state changes of adapters, derived from the differences between samples. */
export interface Timeline {
  /**
   * Takes a sample; returns true if it differs from the previous sample. `rotationOf` returns the latest rotation among the
   * secrets of an adapter, `breakerOf` the worst state of its breakers; absent: it is read now.
   */
  readonly sample: (snapshot: ActiveSnapshot, rotationOf?: RotationOf, breakerOf?: BreakerOf) => boolean;
  /** Returns the events at or after this time, oldest first. */
  readonly since: (from: number) => readonly TimelineEvent[];
  /** Adds the result of the test of rotated secrets. */
  readonly noteProof: (adapter: string, proof: SecretProof) => void;
}

type BreakerOf = typeof worstBreaker;

type RotationOf = (adapter: string) => SecretRotation | undefined;

/** Maximum number of stored events. */
const MAX_EVENTS = 500;

/** State of an adapter in a sample. */
interface TimelineState {
  readonly instance: AdapterInstance;
  readonly restarts: number;
  readonly state: AdapterState;
  readonly connection: Connection;
  readonly breaker: BreakerState | undefined;
}

/** Members of an observed state change. */
const NO_ACT = { by: null, reason: null, until: null, isAct: false, profile: null } as const;

type EventText = Pick<TimelineEvent, 'kind' | 'text'>;

/** Creates a timeline. Its first event is the start of the server. */
export function createTimeline(first: ActiveSnapshot, clock: Clock): Timeline {
  const events = new RingBuffer<TimelineEvent>(MAX_EVENTS);
  const restartsAtStart = restartsIn(first);
  const lastStates = new Map(
    [...first.adapters].map(([name, instance]) => [
      name,
      timelineStateOf(instance, restartsAtStart.get(name), worstBreaker),
    ]),
  );
  let lastDesired = first.desired;
  /** Time of the latest rotation that is an event, by adapter. */
  const rotations = new Map<string, number>();
  /** Returns the event of a rotation in place of the event of another configuration, if a secret rotated since. */
  const namingRotation = (name: string, event: EventText, rotationOf: RotationOf | undefined): EventText => {
    const rotation = event.kind === 'configured' ? rotationOf?.(name) : undefined;
    if (!rotation || rotation.at <= (rotations.get(name) ?? 0)) return event;
    rotations.set(name, rotation.at);
    return { kind: 'rotated', text: rotationText(rotation) };
  };
  const addEvent = (adapter: string | null, { kind, text }: EventText): void => {
    events.add({ at: Math.floor(clock.now()), adapter, kind, text, ...NO_ACT });
  };
  addEvent(null, { kind: 'started', text: 'gatehouse started' });
  /** Adds the event of changed settings; returns true if they changed. */
  const noteSettings = ({ desired }: ActiveSnapshot): boolean => {
    const text = settingsChange(lastDesired, desired);
    lastDesired = desired;
    if (text !== undefined) addEvent(null, { kind: 'reloaded', text });
    return text !== undefined;
  };
  return {
    sample(snapshot, rotationOf, breakerOf = worstBreaker) {
      let isChanged = noteSettings(snapshot);
      for (const name of lastStates.keys()) {
        if (snapshot.adapters.has(name)) continue;
        lastStates.delete(name);
        rotations.delete(name);
        addEvent(name, { kind: 'removed', text: 'Adapter removed' });
        isChanged = true;
      }
      const restarts = restartsIn(snapshot);
      for (const [name, instance] of snapshot.adapters) {
        const before = lastStates.get(name);
        const now = timelineStateOf(instance, restarts.get(name), breakerOf);
        if (isSameState(before, now)) continue;
        isChanged = true;
        lastStates.set(name, now);
        for (const event of eventsOf(before, now)) addEvent(name, namingRotation(name, event, rotationOf));
      }
      return isChanged;
    },
    noteProof: (adapter, proof) => {
      addEvent(adapter, proofEvent(proof));
    },
    since: (from) => events.all().filter(({ at }) => at >= from),
  };
}

/** Returns how often operators restarted each adapter; adapters that were never restarted are absent. */
function restartsIn({ desired }: ActiveSnapshot): ReadonlyMap<string, number> {
  return new Map(
    desired.adapters.flatMap(({ id, overrides: { restarts } }) =>
      restarts === 0 ? [] : [[id, restarts] as const],
    ),
  );
}

function timelineStateOf(instance: AdapterInstance, restarts = 0, breakerOf: BreakerOf): TimelineState {
  return {
    instance,
    restarts,
    state: instance.state(),
    connection: instance.connection(),
    breaker: breakerOf(instance),
  };
}

function rotationText({ from, to }: SecretRotation): string {
  return from === null || to === null ? 'Secret rotated' : `Secret rotated (v${from} to v${to})`;
}

const PROOF_KINDS = {
  accepted: 'secret-accepted',
  refused: 'secret-refused',
  failed: 'secret-untested',
} as const;

function proofEvent(proof: SecretProof): EventText {
  const text = `Login ${proofText(proof)}`;
  return {
    kind: PROOF_KINDS[proof.verdict],
    text: proof.reason === undefined ? text : `${text}: ${proof.reason}`,
  };
}

function isSameState(before: TimelineState | undefined, now: TimelineState): boolean {
  return (
    before?.instance === now.instance &&
    before.restarts === now.restarts &&
    before.state.name === now.state.name &&
    before.connection.state === now.connection.state &&
    before.breaker === now.breaker
  );
}

function eventsOf(before: TimelineState | undefined, now: TimelineState): readonly EventText[] {
  return [lifecycleEvent(before, now), connectionEvent(before, now), breakerEvent(before, now)].flatMap(
    (event) => event ?? [],
  );
}

function lifecycleEvent(
  before: TimelineState | undefined,
  { instance, restarts, state }: TimelineState,
): EventText | undefined {
  const changed = before?.state.name !== state.name;
  if (!changed && before.instance === instance) return undefined;
  if (state.name === 'DEAD') return { kind: 'broken', text: `Failed: ${state.reason}` };
  if (state.name === 'STOPPED') return changed ? { kind: 'stopped', text: 'Adapter stopped' } : undefined;
  if (state.name !== 'RUNNING') return undefined;
  if (changed) return { kind: 'started', text: 'Adapter started' };
  return before.restarts === restarts
    ? { kind: 'configured', text: configuredText(before.instance, instance) }
    : { kind: 'restarted', text: 'Adapter restarted' };
}

function configuredText(before: AdapterInstance, now: AdapterInstance): string {
  const changes = methodChanges(before.methodDigests, now.methodDigests);
  return changes ? `Configuration changed; methods: ${changesText(changes)}` : 'Configuration changed';
}

function connectionEvent(
  before: TimelineState | undefined,
  { connection }: TimelineState,
): EventText | undefined {
  const { state, reason } = connection;
  const previous = before?.connection.state;
  if (previous === state) return undefined;
  if (state === 'OFFLINE') return { kind: 'offline', text: reason ?? 'the orchestrator does not answer' };
  if (state === 'LOGIN_REFUSED')
    return { kind: 'login-refused', text: reason ?? 'the orchestrator refuses the login' };
  if (state !== 'ONLINE') return undefined;
  if (previous === 'LOGIN_REFUSED') return { kind: 'online', text: 'Orchestrator accepts the login again' };
  return previous === 'OFFLINE' ? { kind: 'online', text: 'Orchestrator reachable again' } : undefined;
}

function breakerEvent(before: TimelineState | undefined, { breaker }: TimelineState): EventText | undefined {
  if (before?.breaker === breaker) return undefined;
  if (breaker === 'open')
    return {
      kind: 'breaker-open',
      text: 'Circuit breaker open: the orchestrator failed too often',
    };
  return breaker === 'closed' && before?.breaker !== undefined
    ? { kind: 'breaker-closed', text: 'Circuit breaker closed' }
    : undefined;
}

/** Maximum number of keys that an event names. */
const MAX_KEYS = 8;

/**
 * Returns the text of the event of a reload that changed the main file: the file and the changed keys, never their values. Returns
 * undefined if the settings are the same. A profile changes settings as well, but is a separate act.
 */
function settingsChange(before: Desired, now: Desired): string | undefined {
  const { written } = now.files.main;
  const keys = changedKeys(before.files.main.written.value, written.value);
  if (keys.length === 0) return undefined;
  const late = restartNeeded({ ...before, main: before.files.main }, { ...now, main: now.files.main });
  const lateKeys = new Set(late.map((pointer) => pointerTokens(pointer).slice(0, 2).join('.')));
  const [live, later] = [keys.filter((key) => !lateKeys.has(key)), keys.filter((key) => lateKeys.has(key))];
  const parts = [
    ...(live.length > 0 ? [listed(live)] : []),
    ...(later.length > 0 ? [`from the next start: ${listed(later)}`] : []),
  ];
  return `Settings changed in ${basename(written.document.file)}: ${parts.join('; ')}`;
}

function listed(keys: readonly string[]): string {
  const left = keys.length - MAX_KEYS;
  return `${keys.slice(0, MAX_KEYS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** Returns the names of the members that differ, sorted: of the section and its member, for example `log.level`. */
function changedKeys(before: unknown, now: unknown): readonly string[] {
  if (before === now) return [];
  return differingMembers(before, now).flatMap((section) => {
    const [one, other] = [memberOf(before, section), memberOf(now, section)];
    if (!isSection(one) || !isSection(other)) return [section];
    return differingMembers(one, other).map((key) => `${section}.${key}`);
  });
}

function differingMembers(one: unknown, other: unknown): readonly string[] {
  const names = new Set([one, other].flatMap((value) => (isSection(value) ? Object.keys(value) : [])));
  return [...names].filter((name) => !isDeepStrictEqual(memberOf(one, name), memberOf(other, name))).sort();
}

function memberOf(value: unknown, name: string): unknown {
  return isSection(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
