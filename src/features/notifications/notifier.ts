import type { MonitoringIssue } from '../../core/issue.js';
import type { Log } from '../../core/log.js';
import { muteOf, type Mute } from '../../core/notification.js';
import type { Clock } from '../../lib/clock.js';
import { errorMessage } from '../../lib/error-message.js';
import type { ReceiverSettings } from '../../settings/notifications.js';
import { createDelivery, type Delivery, type DeliveryInput } from './delivery.js';
import { createForgetting } from './forget.js';
import { createNotificationStates, type NotificationStates } from './notification-states.js';
import {
  type NotificationState,
  type NotificationStore,
  type ProblemReport,
  type ReceiverFailure,
  type ReportedProblem,
  type Acknowledgement,
  problemsOf,
  reportedProblem,
} from './notification.js';
import { type NotificationPlan, planNotification } from './plan.js';

/** Sends notifications about problems in the background. */
export interface Notifier {
  /** Sends a test message. Throws an Error with the reason if the receiver did not accept it. */
  readonly test: (receiver: ReceiverSettings) => Promise<void>;
  /** Returns the current problems of all live processes. */
  readonly problems: () => Promise<readonly ReportedProblem[]>;
  /** Returns the latest failure of each receiver, in any live process. */
  readonly failures: () => Promise<ReadonlyMap<string, ReceiverFailure>>;
  readonly close: () => void;
}

export interface NotifierInput extends Omit<DeliveryInput, 'save'> {
  readonly receivers: () => readonly ReceiverSettings[];
  readonly issues: () => Promise<readonly MonitoringIssue[]>;
  readonly tagsOf: (adapter: string) => readonly string[];
  readonly store: NotificationStore;
}

/** Interval between two reads of the problems, in milliseconds. */
const NOTIFIER_INTERVAL_MS = 10_000;

/** Starts the notifier. One process of a cluster sends for all; another one takes over if it stops. */
export function openNotifier(input: NotifierInput): Notifier {
  const { clock, log, store } = input;
  const states = createNotificationStates(store);
  const delivery = createDelivery({ ...input, save: states.save });
  const look = createLook(input, { states, delivery });
  let isClosed = false;
  let cancel = clock.after(NOTIFIER_INTERVAL_MS, lookAndRepeat);
  function lookAndRepeat(): void {
    look()
      .catch((error: unknown) => {
        log.error('notifications were not checked; they are checked again', { reason: errorMessage(error) });
      })
      .finally(() => {
        if (!isClosed) cancel = clock.after(NOTIFIER_INTERVAL_MS, lookAndRepeat);
      });
  }

  return {
    test: delivery.test,
    async problems() {
      const reports = await store.reports(clock.now());
      return problemsOf([{ problems: await ownProblems(input) }, ...reports]);
    },
    async failures() {
      const reports = await store.reports(clock.now());
      const ofOthers = reports.flatMap(({ failures }) => Object.entries(failures));
      return new Map([...ofOthers, ...delivery.failures()]);
    },
    close() {
      isClosed = true;
      cancel();
      delivery.close();
    },
  };
}

/** Creates the function that reads the problems once, stores them, and starts the due messages. */
function createLook(
  input: NotifierInput,
  { states, delivery }: { readonly states: NotificationStates; readonly delivery: Delivery },
): () => Promise<void> {
  const { store } = input;
  const readView = createProblemView({ ...input, states });
  const forgetting = createForgetting();

  async function forgetAcknowledgements({ problems, acknowledgements, now }: ProblemView): Promise<void> {
    for (const problem of forgetting.acknowledgements(acknowledgements, problems, now))
      await store.withdraw(problem);
  }

  return async () => {
    const receivers = input.receivers();
    const names = receivers.map(({ name }) => name);
    delivery.keepOnly(names);
    // Without receivers, acknowledgements are the only thing that ends with the problems.
    if (receivers.length === 0 && !(await hasAcknowledgements(store))) return;
    const view = await readView(await reportOf(input, delivery));
    if (!view.isSender) {
      delivery.keepOnly([]);
      return;
    }
    const plans = plansOf(receivers, view, { ...input, known: knownStates(states, view) });
    const noted = {
      stored: plans.flatMap(([, plan]) => plan.noted),
      removed: plans.flatMap(([{ name }, plan]) =>
        plan.dropped.map((problem) => ({ receiver: name, problem })),
      ),
    };
    // Nothing is awaited between plan and offer: a message that is sent meanwhile would be planned twice.
    states.change(noted);
    for (const [receiver, plan] of plans) delivery.offer(receiver, plan);
    if (!view.isStoreUp) return;
    await states.save({ stored: [], removed: forgetting.states(states.all(), names, view.now) });
    await forgetAcknowledgements(view);
  };
}

/** Returns the states that a plan may change. */
function knownStates(
  states: NotificationStates,
  { problems, isStoreUp }: ProblemView,
): readonly NotificationState[] {
  if (isStoreUp) return states.all();
  // Without the store, the problems of the other processes are not known: none of them is over.
  const present = new Set(problems.map(({ id }) => id));
  return states.all().filter(({ problem }) => present.has(problem.id));
}

/** Plans the next message to each receiver. */
function plansOf(
  receivers: readonly ReceiverSettings[],
  { problems, mutes, acknowledgements, now }: ProblemView,
  { tagsOf, known }: NotifierInput & { readonly known: readonly NotificationState[] },
): readonly (readonly [ReceiverSettings, NotificationPlan])[] {
  const isMuted = (problem: ReportedProblem): boolean =>
    muteOf(problem, mutes, { now, tagsOf }) !== undefined;
  const all = new Map([...known.map(({ problem }) => problem), ...problems].map((one) => [one.id, one]));
  const muted = new Set([...all.values()].filter(isMuted).map(({ id }) => id));
  const acknowledged = new Map(acknowledgements.map((one) => [one.problem, one]));
  const named = new Map(receivers.map(({ name }) => [name, [] as NotificationState[]]));
  for (const state of known) named.get(state.receiver)?.push(state);
  return receivers.map((receiver) => {
    const states = named.get(receiver.name) ?? [];
    return [receiver, planNotification({ receiver, problems, muted, acknowledged, states, now })];
  });
}

async function ownProblems({ issues, host, tagsOf }: NotifierInput): Promise<readonly ReportedProblem[]> {
  return (await issues()).map((issue) => reportedProblem(issue, { host, tagsOf }));
}

async function reportOf(input: NotifierInput, { failures }: Delivery): Promise<ProblemReport> {
  return { problems: await ownProblems(input), failures: Object.fromEntries(failures()) };
}

async function hasAcknowledgements(store: NotificationStore): Promise<boolean> {
  return store.acknowledgements().then(
    ({ length }) => length > 0,
    () => false,
  );
}

/** Time in milliseconds for which the report of a process is valid, and for which a process stays the sender without a look. */
const LIVE_MS = 45_000;

/** Problems that this process reports now, with what silences them. */
interface ProblemView {
  /** False if the store failed: the view is what this process knows. */
  readonly isStoreUp: boolean;
  /** False if another process reports the problems. */
  readonly isSender: boolean;
  readonly problems: readonly ReportedProblem[];
  readonly mutes: readonly Mute[];
  readonly acknowledgements: readonly Acknowledgement[];
  /** Milliseconds since 1970; by the clock of the database, which all nodes share. */
  readonly now: number;
}

interface ProblemViewInput {
  readonly store: NotificationStore;
  readonly states: NotificationStates;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Creates the function that publishes the report of this process, and returns the view. The sender of the cluster sees the problems
 * of all live processes. While the store fails, no process can read the reports: the last sender then reports its own
 * problems, and every other process reports only that the database does not answer.
 */
function createProblemView(input: ProblemViewInput): (own: ProblemReport) => Promise<ProblemView> {
  const { store, states, clock, log } = input;
  /** Latest view of the store, and its clock less that of this process. */
  let last = {
    isSender: false,
    mutes: [] as readonly Mute[],
    acknowledgements: [] as readonly Acknowledgement[],
  };
  let aheadMs = 0;
  let isStoreUp = true;

  async function readStore(own: ProblemReport): Promise<ProblemView> {
    const before = Math.floor(clock.now());
    const { isSender, now, reports } = await store.publish(own, { now: before, ttlMs: LIVE_MS });
    aheadMs = now - before;
    await states.synchronize();
    const [mutes, acknowledgements] = await Promise.all([store.mutes(), store.acknowledgements()]);
    last = { isSender, mutes, acknowledgements };
    return { ...last, isStoreUp: true, problems: problemsOf(reports), now };
  }

  function noteStore(isUp: boolean, reason?: string): void {
    if (isUp !== isStoreUp) {
      if (isUp) log.info('notifications are stored again');
      else log.warn('database does not answer; notifications continue from memory', { reason });
    }
    isStoreUp = isUp;
  }

  return async (own) => {
    try {
      const view = await readStore(own);
      noteStore(true);
      return view;
    } catch (error) {
      noteStore(false, errorMessage(error));
      const problems = last.isSender
        ? own.problems
        : own.problems.filter(({ code }) => code === 'store-down');
      return { ...last, isStoreUp: false, isSender: true, problems, now: Math.floor(clock.now()) + aheadMs };
    }
  };
}
