import type { AnsweredRequest, MeasureRequest } from '../../core/metric.js';
import type { DescribedOperation, EventType } from '../../core/operation.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { CallerWindow } from './caller-window.js';
import type { RecentCalls } from './recent-calls.js';
import type { TrafficRecorder } from './traffic-recorder.js';
import type { TrafficWindow } from './traffic-window.js';

interface RecorderInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly window: TrafficWindow;
  readonly callers: CallerWindow;
  readonly calls: RecentCalls;
  readonly recorder: TrafficRecorder;
  readonly publish: (topics: readonly EventType[]) => void;
  /** All operations of the API. */
  readonly operations: readonly DescribedOperation[];
}

/** Creates a function that records each answered request, and publishes the topics that the request changed. */
export function createRequestRecorder(input: RecorderInput): MeasureRequest {
  const { current, calls, publish } = input;
  const topicsOf = createEventTypesOf(input.operations);
  return (answered) => {
    if (isAdapterCall(answered, current)) {
      recordCall(answered, input);
      return;
    }
    if (isWorthKeeping(answered)) calls.noteOther(answered);
    publish(topicsOf(answered));
  };
}

/** Topic that the operations of an application change, by the name of the application. */
const TOPICS_BY_APPLICATION: Readonly<Record<string, EventType>> = {
  adapters: 'adapters',
  applications: 'adapters',
  profiles: 'profiles',
  'json-forms': 'forms',
  tasks: 'tasks',
  platform: 'secrets',
};

const NO_TOPICS: readonly EventType[] = [];

/**
 * Creates a function that returns the topics that a request changed. Most requests change no topic. A read
 * changes a topic only if the operation is deprecated, because the server counts such calls.
 */
export function createEventTypesOf(
  operations: readonly DescribedOperation[],
): (answered: Pick<AnsweredRequest, 'operation' | 'status'>) => readonly EventType[] {
  const writeTopics = new Map<string, readonly EventType[]>();
  const deprecatedTopics = new Map<string, readonly EventType[]>();
  for (const { name, row } of operations) {
    const topic = TOPICS_BY_APPLICATION[name.split('.', 1)[0] ?? ''];
    if (topic && row.audited && row.method !== 'GET') writeTopics.set(name, [topic]);
    if (row.deprecation) deprecatedTopics.set(name, ['deprecations']);
  }
  return ({ operation, status }) =>
    deprecatedTopics.get(operation) ?? (status < 400 ? writeTopics.get(operation) : undefined) ?? NO_TOPICS;
}

/**
 * Returns true if an authenticated caller called an existing adapter. Callers can send any adapterId, and
 * anonymous calls must not evict the recorded calls of others.
 */
function isAdapterCall({ adapter, caller }: AnsweredRequest, current: RecorderInput['current']): boolean {
  return adapter !== '' && caller !== '' && current.current().adapters.has(adapter);
}

/**
 * Returns true for a request that used no adapter and that somebody may look up: it failed or changed something. Reads of
 * the pages are many, and anonymous requests must not evict the requests of others.
 */
function isWorthKeeping({ caller, status, method }: AnsweredRequest): boolean {
  return caller !== '' && (status >= 400 || method !== 'GET');
}

/** Records a call. */
function recordCall(answered: AnsweredRequest, { window, callers, calls, recorder }: RecorderInput): void {
  const { adapter, status, seconds, caller, issuer, callerName } = answered;
  // The duration of a WebSocket depends on its peers and says nothing about latency.
  const ms = status === 101 ? -1 : seconds * 1000;
  window.note(adapter, ms, status);
  recorder.note({ adapter, status, ms, caller: callerName ?? caller });
  // Two issuers may have the same subject.
  callers.note(issuer === undefined ? caller : `${issuer}\n${caller}`, status, callerName ?? caller);
  calls.note(answered);
}
