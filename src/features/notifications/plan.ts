import { isDeepStrictEqual } from 'node:util';
import type { ReceiverSettings } from '../../settings/notifications.js';
import type { Acknowledgement, NotificationState, ReportedProblem } from './notification.js';

/** Minimum time after which a problem counts as over: after a restart, its adapter has not been tried yet. */
const MIN_END_SECONDS = 60;

/** Maximum number of problems of a message. The others follow in the next message. */
const MAX_MESSAGE_PROBLEMS = 100;

/** What happened to a problem since the latest message. */
type ProblemEvent = 'begun' | 'lasts' | 'ended';

export interface NotifiedProblem extends ReportedProblem {
  readonly event: ProblemEvent;
}

/** Message to a receiver, and the states to store. */
export interface NotificationPlan {
  /** Problems of the message; none: nothing is sent. */
  readonly message: readonly NotifiedProblem[];
  /** States to store in any case. */
  readonly noted: readonly NotificationState[];
  /** Ids of the problems whose states are removed in any case. */
  readonly dropped: readonly string[];
  /** States to store after the message was sent. */
  readonly sent: readonly NotificationState[];
  /** Ids of the problems whose states are removed after the message was sent. */
  readonly ended: readonly string[];
}

export interface PlanInput {
  readonly receiver: ReceiverSettings;
  readonly problems: readonly ReportedProblem[];
  /** Ids of the problems that are silenced. */
  readonly muted: ReadonlySet<string>;
  readonly acknowledged: ReadonlyMap<string, Acknowledgement>;
  /** Stored states of this receiver. */
  readonly states: readonly NotificationState[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

function concerns({ minSeverity, tags }: ReceiverSettings, problem: ReportedProblem): boolean {
  const isSevere = minSeverity === 'warning' || problem.severity === 'danger';
  return isSevere && (tags.length === 0 || problem.tags.some((tag) => tags.includes(tag)));
}

/**
 * Plans the next message to a receiver: problems that have lasted long enough begin, problems that last are repeated
 * unless they are acknowledged and have not grown, and problems that are over long enough end. A problem that was not
 * reported ends without a message. A problem that the settings of the receiver no longer include is not over.
 */
export function planNotification(input: PlanInput): NotificationPlan {
  const { receiver, problems, states } = input;
  const wanted = problems.filter((problem) => concerns(receiver, problem));
  const known = new Map(states.map((state) => [state.problem.id, state]));
  const lasting = wanted.map((problem) => planLasting(problem, known.get(problem.id), input));
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const others = states.filter(({ problem }) => !wantedIds.has(problem.id));
  const isPresent = presenceIn(problems);
  const rest = others.map((state) =>
    isPresent(state.problem) ? planUnwanted(state) : planOver(state, input),
  );
  const steps = [...lasting, ...rest];
  const told = steps.filter(({ message }) => message).slice(0, MAX_MESSAGE_PROBLEMS);
  return {
    message: told.flatMap(({ message }) => message ?? []),
    noted: steps.flatMap(({ noted }) => noted ?? []),
    dropped: steps.flatMap(({ dropped }) => dropped ?? []),
    sent: told.flatMap(({ sent }) => sent ?? []),
    ended: told.flatMap(({ ended }) => ended ?? []),
  };
}

/**
 * Returns the function that reports whether a problem is still present: itself, or as a problem of the same code and an
 * adapter of it. An adapter that refused connections and now times out has another problem, and is not healthy.
 */
function presenceIn(problems: readonly ReportedProblem[]): (problem: ReportedProblem) => boolean {
  const ids = new Set(problems.map(({ id }) => id));
  const failing = new Set(
    problems.flatMap(({ code, adapters }) => adapters.map((name) => `${code} ${name}`)),
  );
  return ({ id, code, adapters }) => ids.has(id) || adapters.some((name) => failing.has(`${code} ${name}`));
}

interface Step {
  readonly message?: NotifiedProblem;
  readonly noted?: NotificationState;
  readonly dropped?: string;
  readonly sent?: NotificationState;
  readonly ended?: string;
}

function planLasting(problem: ReportedProblem, known: NotificationState | undefined, input: PlanInput): Step {
  const { receiver, muted, now } = input;
  const first = { receiver: receiver.name, firstAt: now, sentAt: null };
  const state: NotificationState = { ...first, ...known, problem, missingAt: null };
  // The change that a message reports is stored only after it was sent: the message may be refused or muted.
  const seen = known && isWorse(problem, known) ? { ...state, problem: known.problem } : state;
  const noted = known && isDeepStrictEqual(known, seen) ? {} : { noted: seen };
  if (muted.has(problem.id) || !isDue(problem, { ...state, problem: seen.problem }, input)) return noted;
  const event = state.sentAt === null ? 'begun' : 'lasts';
  return { ...noted, message: { ...problem, event }, sent: { ...state, sentAt: now } };
}

function isWorse(problem: ReportedProblem, known: NotificationState): boolean {
  return known.sentAt !== null && grew(known.problem, problem);
}

/** Returns true if a message about a problem is due. An acknowledgement holds for the extent that its author saw. */
function isDue(
  problem: ReportedProblem,
  known: NotificationState,
  { receiver: { waitSeconds, repeatMinutes }, acknowledged, now }: PlanInput,
): boolean {
  const { firstAt, sentAt } = known;
  if (sentAt === null) return now - firstAt >= waitSeconds * 1000;
  const acknowledgement = acknowledged.get(problem.id);
  if (acknowledgement && !grew(acknowledgement.seen ?? known.problem, problem)) return false;
  if (isWorse(problem, known)) return now - sentAt >= waitSeconds * 1000;
  return repeatMinutes > 0 && now - sentAt >= repeatMinutes * 60_000;
}

type Extent = Pick<ReportedProblem, 'severity' | 'adapters'>;

/** Returns true if a problem became more severe or concerns more adapters. */
function grew(before: Extent, after: Extent): boolean {
  if (before.severity === 'warning' && after.severity === 'danger') return true;
  const known = new Set(before.adapters);
  return after.adapters.some((name) => !known.has(name));
}

/** Plans a problem that is present, but that the settings of the receiver no longer include. Its end will be reported. */
function planUnwanted(state: NotificationState): Step {
  const { problem, sentAt, missingAt } = state;
  if (sentAt === null) return { dropped: problem.id };
  return missingAt === null ? {} : { noted: { ...state, missingAt: null } };
}

function planOver(state: NotificationState, { receiver, muted, now }: PlanInput): Step {
  const { problem, sentAt, missingAt } = state;
  if (sentAt === null) return { dropped: problem.id };
  if (missingAt === null) return { noted: { ...state, missingAt: now } };
  if (now - missingAt < Math.max(receiver.waitSeconds, MIN_END_SECONDS) * 1000) return {};
  if (muted.has(problem.id)) return { dropped: problem.id };
  return { message: { ...problem, event: 'ended' }, ended: problem.id };
}
