import type { PlatformStore } from '../../core/platform-state.js';
import type { ActAction, OperatorAct } from '../../core/record-history.js';
import type { Redactor } from '../../core/secret.js';
import { redactValue } from '../../http/redact-value.js';
import type { TrafficHistory } from './traffic-history.js';
import type { TimelineEvent, TrafficQuery, TrafficReport } from './traffic-view.js';

interface TrafficReaderInput {
  readonly history: Pick<TrafficHistory, 'read'>;
  readonly timelineSince: (from: number) => readonly TimelineEvent[];
  readonly store: { readonly platform: Pick<PlatformStore, 'acts'> };
  readonly redactor: Pick<Redactor, 'redact'>;
}

/**
 * Creates a function that returns the numbers of a time, and the events of that time. While the store fails, the
 * report has the latest calls and the observed state changes.
 */
export function createTrafficReader({
  history,
  timelineSince,
  store,
  redactor,
}: TrafficReaderInput): (query: TrafficQuery) => Promise<TrafficReport> {
  return async (query) => {
    const report = await history.read(query);
    const acts = await store.platform.acts(report.from).catch(() => undefined);
    const marks = withActs(timelineSince(report.from), (acts ?? []).map(actEvent)).filter(
      ({ at, adapter }) => at < report.to && isShown(adapter, query.adapter),
    );
    const isComplete = report.isComplete && acts !== undefined;
    return redactedReport({ ...report, isComplete, marks }, redactor);
  };
}

/** Returns true for an event of the server, and for events of the only adapter. */
function isShown(adapter: string | null, only: string | undefined): boolean {
  return only === undefined || adapter === null || adapter === only;
}

/** Removes secrets from the texts of a report; its cells are numbers, and there may be thousands. */
function redactedReport(report: TrafficReport, { redact }: Pick<Redactor, 'redact'>): TrafficReport {
  return {
    ...report,
    adapters: report.adapters.map((one) => ({ ...one, name: redact(one.name) })),
    flows: redactValue(report.flows, redact),
    marks: redactValue(report.marks, redact),
  };
}

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
