import type { Log } from '../../core/log.js';
import { type Backoff, createBackoff } from '../../lib/backoff.js';
import type { Scheduler } from '../../lib/clock.js';
import { errorMessage } from '../../lib/error-message.js';
import { oneLine } from '../../lib/one-line.js';
import type { ReceiverSettings } from '../../settings/notifications.js';
import type { NotificationMessage } from './message.js';
import type { ReceiverFailure, StateChanges } from './notification.js';
import type { NotificationPlan } from './plan.js';
import type { SendNotification } from './send.js';

/** Sends planned messages in the background: one at a time to each receiver, to all receivers at the same time. */
export interface Delivery {
  /** Sends the message of a plan, unless a message to the receiver is being sent or waits for its next attempt. */
  readonly offer: (receiver: ReceiverSettings, plan: NotificationPlan) => void;
  /** Sends a test message. Throws an Error with the reason if the receiver did not accept it. */
  readonly test: (receiver: ReceiverSettings) => Promise<void>;
  /** Returns the latest failure of each receiver whose latest message failed. */
  readonly failures: () => ReadonlyMap<string, ReceiverFailure>;
  /** Forgets the failures of all other receivers. */
  readonly keepOnly: (names: readonly string[]) => void;
  readonly close: () => void;
}

export interface DeliveryInput {
  readonly send: SendNotification;
  /** Changes states after a message was sent. Does not reject. */
  readonly save: (changes: StateChanges) => Promise<void>;
  readonly redact: (text: string) => string;
  readonly host: string;
  readonly url: string | null;
  readonly clock: Scheduler;
  readonly log: Log;
}

const RETRY = { firstMs: 10_000, maxMs: 15 * 60_000 };
/** Maximum length of a reason: it may contain the reply of the receiver. */
const MAX_REASON_LENGTH = 500;

/** Failure of a receiver with these settings. */
interface Retry {
  readonly receiver: ReceiverSettings;
  readonly backoff: Backoff;
  readonly failure: ReceiverFailure;
}

/** Creates the delivery of messages. A message that is not accepted is planned again, and sent after a delay that grows. */
export function createDelivery(input: DeliveryInput): Delivery {
  const { clock, log } = input;
  const controller = new AbortController();
  const { signal } = controller;
  const retries = new Map<string, Retry>();
  /** Names of the receivers to which a message is being sent. */
  const sending = new Set<string>();

  async function deliver(
    receiver: ReceiverSettings,
    { message, sent, ended }: NotificationPlan,
  ): Promise<void> {
    const { name } = receiver;
    try {
      const { refused } = await input.send(receiver, messageOf(input, { problems: message }), signal);
      if (refused.length > 0)
        log.warn('the mail server refused some recipients', { receiver: name, recipients: refused });
    } catch (error) {
      if (!signal.aborted)
        retries.set(name, nextRetry(input, { receiver, error, earlier: retries.get(name) }));
      return;
    }
    retries.delete(name);
    await input.save({ stored: sent, removed: ended.map((problem) => ({ receiver: name, problem })) });
    log.info('notification sent', { receiver: name, problems: message.length });
  }

  return {
    offer(receiver, plan) {
      const { name } = receiver;
      const retry = retries.get(name);
      // Changed settings may have mended the receiver.
      if (retry && retry.receiver !== receiver) retries.delete(name);
      else if (retry && clock.now() < retry.failure.retryAt) return;
      if (plan.message.length === 0 || sending.has(name)) return;
      sending.add(name);
      void deliver(receiver, plan).finally(() => sending.delete(name));
    },
    async test(receiver) {
      const message = messageOf(input, { problems: [], isTest: true });
      const { refused } = await input.send(receiver, message, signal).catch((error: unknown) => {
        throw new Error(reasonOf(input, error));
      });
      if (refused.length > 0) throw new Error(`the mail server refused ${refused.join(', ')}`);
      // The receiver works again: the waiting message is sent with the next look.
      retries.delete(receiver.name);
    },
    failures: () => new Map([...retries].map(([name, { failure }]) => [name, failure])),
    keepOnly(names) {
      for (const name of retries.keys()) if (!names.includes(name)) retries.delete(name);
    },
    close() {
      controller.abort();
    },
  };
}

/** Logs a failure, and returns the time of the next attempt. */
function nextRetry(
  input: DeliveryInput,
  {
    receiver,
    error,
    earlier,
  }: { readonly receiver: ReceiverSettings; readonly error: unknown; readonly earlier: Retry | undefined },
): Retry {
  const backoff = earlier?.backoff ?? createBackoff(RETRY);
  const at = Math.floor(input.clock.now());
  const reason = reasonOf(input, error);
  input.log.warn('notification was not sent; it is tried again', { receiver: receiver.name, reason });
  return { receiver, backoff, failure: { at, reason, retryAt: at + backoff.next() } };
}

function reasonOf({ redact }: DeliveryInput, error: unknown): string {
  return oneLine(redact(errorMessage(error)), MAX_REASON_LENGTH);
}

function messageOf(
  { clock, host, url }: DeliveryInput,
  { problems, isTest = false }: Pick<NotificationMessage, 'problems'> & { readonly isTest?: boolean },
): NotificationMessage {
  return { problems, host, url, at: Math.floor(clock.now()), isTest };
}
