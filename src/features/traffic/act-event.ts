import type { ActAction, OperatorAct } from '../../core/record-history.js';
import type { TimelineEvent } from './traffic-view.js';

/** What each act did, after its author. `X` is the object. */
const ACT_TEXTS: Readonly<Record<ActAction, string>> = {
  started: 'started X',
  stopped: 'stopped X',
  restarted: 'restarted X',
  paused: 'paused X; its calls are queued',
  blocked: 'blocked X; its calls are rejected',
  resumed: 'resumed X',
  scheduled: 'scheduled a suspension of X for',
  unscheduled: 'canceled the scheduled suspension of X',
  'log-level': 'changed the log level of X',
  created: 'created X',
  updated: 'changed the configuration of X',
  'rolled-back': 'rolled X back to',
  removed: 'deleted X',
  activated: 'activated X',
  deactivated: 'deactivated X',
  confirmed: 'confirmed the change of X',
  canceled: 'canceled the change of X',
  reverted: 'returned X to the state before an unconfirmed change',
};

/** Returns an act of an operator as an event of the timeline. */
export function actEvent({ at, about, action, by, reason, until, detail }: OperatorAct): TimelineEvent {
  const { kind, name } = about;
  const object = `the ${kind === 'access-rule' ? 'access rule' : kind} ${name}`;
  return {
    at,
    adapter: kind === 'adapter' ? name : null,
    kind: action,
    text: `${by?.name ?? 'gatehouse'} ${ACT_TEXTS[action].replace('X', () => object)}${detailText(action, detail)}`,
    by: by?.name ?? null,
    reason,
    until,
    isAct: true,
    profile: kind === 'profile' ? name : null,
  };
}

/** Returns the level, the version or the time after the text of an act. A rollback of an older server has no version. */
function detailText(action: ActAction, detail: string | null): string {
  if (action === 'rolled-back') return detail === null ? ' an earlier version' : ` version ${detail}`;
  if (detail === null) return '';
  return action === 'scheduled' ? ` ${detail}` : ` to ${detail}`;
}

/** Time within which the sampler sees the effect of an act, in milliseconds. */
const EFFECT_MS = 30_000;

/** The state change that an act causes, if it has another name. */
const EFFECTS: Readonly<Partial<Record<TimelineEvent['kind'], TimelineEvent['kind']>>> = {
  updated: 'configured',
  'rolled-back': 'configured',
  reverted: 'configured',
  created: 'started',
};

/** Joins observed state changes and acts, in the order of time. An observation that an act explains is left out. */
export function withActs(
  observed: readonly TimelineEvent[],
  acts: readonly TimelineEvent[],
): readonly TimelineEvent[] {
  const isExplained = ({ at, adapter, kind }: TimelineEvent): boolean =>
    acts.some(
      (act) =>
        act.adapter === adapter &&
        (EFFECTS[act.kind] ?? act.kind) === kind &&
        at >= act.at - EFFECT_MS &&
        at <= act.at + EFFECT_MS,
    );
  return [...observed.filter((event) => !isExplained(event)), ...acts].sort((a, b) => a.at - b.at);
}
