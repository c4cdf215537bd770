import type { MonitoringIssue } from '../../src/core/issue.js';
import type { NotificationMessage } from '../../src/features/notifications/message.js';
import type { NotificationStore } from '../../src/features/notifications/notification.js';
import {
  type Notifier,
  type NotifierInput,
  openNotifier,
} from '../../src/features/notifications/notifier.js';
import { notificationStore } from '../../src/features/notifications/store.js';
import type { ReceiverSettings } from '../../src/settings/notifications.js';
import { Connection } from '../../src/storage/connection.js';
import { migrate } from '../../src/storage/migrations.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import { createFakeScheduler } from './fake-scheduler.js';
import { memoryLog } from './memory-log.js';
import { until } from './until.js';

/** A message that a receiver got, with the events of its problems. */
interface SentMessage {
  readonly node: string;
  readonly receiver: string;
  readonly events: readonly string[];
  readonly message: NotificationMessage;
}

/** Returns an issue of the adapters of a node. */
export function issueOf(id: string, changes: Partial<MonitoringIssue> = {}): MonitoringIssue {
  return {
    id,
    severity: 'danger',
    code: 'adapter-unreachable',
    title: 'nso1 is unreachable',
    cause: 'connection refused',
    since: 0,
    about: { kind: 'adapter', name: 'nso1' },
    adapters: ['nso1'],
    failedCallsPerMinute: 0,
    hitCallers: [],
    failure: null,
    hitCallersLeft: 0,
    cachedSecrets: 0,
    lostSecrets: 0,
    until: null,
    ...changes,
  };
}

/** The issue of a database that does not answer. */
const STORE_DOWN = issueOf('store', {
  code: 'store-down',
  adapters: [],
  title: 'The database does not answer',
});

/** Returns the settings of a receiver without a wait and without reminders. */
export function receiverOf(name: string, changes: Partial<ReceiverSettings> = {}): ReceiverSettings {
  return { name, minSeverity: 'warning', tags: [], waitSeconds: 0, repeatMinutes: 0, ...changes };
}

/** Opens a database that several notifiers share, each with a clock that the test advances. */
export async function openNotifierCluster() {
  const connection = await Connection.open({
    open: async () => {
      const database = await openSqlite(':memory:');
      await migrate(database);
      return database;
    },
    isFatal: () => false,
  });
  const sent: SentMessage[] = [];
  const open: { readonly close: () => void }[] = [];

  /** Starts a process of the cluster. */
  function start(name: string) {
    const clock = createFakeScheduler();
    const { log, lines } = memoryLog();
    let accepted = 0;
    /** What the test changes: the issues, the receivers, and whether the store and each receiver work. */
    const state = {
      issues: [] as readonly MonitoringIssue[],
      receivers: [receiverOf('noc')] as readonly ReceiverSettings[],
      failing: new Set<keyof NotificationStore>(),
      isStoreDown: false,
      send: (_receiver: ReceiverSettings): Promise<void> => Promise.resolve(),
    };
    const store = failingStore(notificationStore(connection, name), state);
    const input: NotifierInput = {
      receivers: () => state.receivers,
      issues: () => Promise.resolve(state.isStoreDown ? [STORE_DOWN, ...state.issues] : state.issues),
      tagsOf: () => [],
      store,
      async send(receiver, message) {
        await state.send(receiver);
        if (!message.isTest) accepted += 1;
        const events = message.problems.map(({ id, event }) => `${id} ${event}`);
        sent.push({ node: name, receiver: receiver.name, events, message });
        return { refused: [] };
      },
      redact: (text) => text,
      host: name,
      url: null,
      clock,
      log,
    };
    const notifier: Notifier = openNotifier(input);
    open.push(notifier);
    const areAllStored = (): boolean =>
      lines.filter(({ message }) => message === 'notification sent').length === accepted;
    /**
     * Advances the clock of this process to its next looks, and waits until each has ended and its messages are
     * stored as sent: until then, the receiver gets no other message.
     */
    const look = async (count = 1): Promise<void> => {
      for (let done = 0; done < count; done += 1) {
        await clock.pass(10_000);
        await until(() => clock.next() !== undefined && areAllStored());
      }
    };
    return { state, clock, look, lines, notifier, store };
  }

  return {
    start,
    sent,
    /** Returns the events of all messages so far, and forgets the messages. */
    events: (): readonly string[] =>
      sent.splice(0).flatMap(({ node, events }) => events.map((event) => `${node}: ${event}`)),
    async close(): Promise<void> {
      for (const one of open) one.close();
      await connection.close();
    },
  };
}

/** Returns the store, whose methods reject while the test wants them to. */
function failingStore(
  store: NotificationStore,
  state: { readonly failing: ReadonlySet<keyof NotificationStore>; readonly isStoreDown: boolean },
): NotificationStore {
  return new Proxy(store, {
    get(target, name: keyof NotificationStore) {
      if (state.isStoreDown || state.failing.has(name))
        return () => Promise.reject(new Error('the database does not answer'));
      return target[name];
    },
  });
}
