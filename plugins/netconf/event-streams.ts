import type { AdapterStream, OutboundRequest } from '../../src/core/adapter.js';
import type { Log } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import type { Scheduler } from '../../src/lib/clock.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { logWarnings, requireConfirmation } from './confirmed.js';
import { EventQueue } from './event-queue.js';
import type { ModelHolder } from './model-holder.js';
import type { ReaderThreads } from './reader-threads.js';
import { faultReply, refused, type RestconfError } from './replies.js';
import { faultOf } from './rpc-errors.js';
import type { Session } from './session.js';
import { readStreams } from './stream-list.js';
import { readStreamQuery, type StreamQuery } from './stream-query.js';
import { type Subscribed, subscriptionCapabilities } from './subscribe.js';
import type { NotificationJson } from './thread-tasks.js';
import type { ReportUnknown } from './unknown-nodes.js';

/** Input of {@link createEventStreams}. */
interface EventStreamsInput {
  /** Name of the adapter. */
  readonly name: string;
  /** Opens a session. Throws a Problem. */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  readonly models: ModelHolder;
  readonly threads: ReaderThreads;
  /** Maximum number of streams. */
  readonly maxStreams: number;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly reportUnknown: ReportUnknown;
}

/** Event streams of one server. Each has a session of its own, which lives as long as the stream. */
interface EventStreams {
  /** Opens a stream (RFC 8040 section 6.3). Throws `upstream_busy` for one too many, and the Problem of the connection. */
  readonly openStream: (request: OutboundRequest, signal: AbortSignal) => Promise<AdapterStream>;
  /** Ends all streams. */
  readonly close: () => void;
}

/** Creates the streams of a server; none is open. */
export function createEventStreams(input: EventStreamsInput): EventStreams {
  const { maxStreams } = input;
  const running = new Set<AbortController>();

  async function open(request: OutboundRequest, ending: AbortController): Promise<AdapterStream> {
    const { signal } = ending;
    try {
      signal.throwIfAborted();
      const target = targetOf(request);
      if (running.size >= maxStreams)
        throw new Problem(
          'upstream_busy',
          `the adapter has ${running.size} event streams, which the option "streams" permits`,
        );
      running.add(ending);
      const onEnd = (): void => void running.delete(ending);
      return { status: 200, headers: EVENT_STREAM, body: await subscribe(input, target, { signal, onEnd }) };
    } catch (error) {
      running.delete(ending);
      const { status, headers, body } = faultReply(faultOf(error));
      return { status, headers: { 'content-type': String(headers['content-type']) }, body: once(body) };
    }
  }

  return {
    openStream(request, signal) {
      const ending = new AbortController();
      const onAbort = (): void => {
        ending.abort(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      return open(request, ending);
    },
    close() {
      for (const ending of running)
        ending.abort(new Problem('adapter_unavailable', 'the adapter was stopped'));
    },
  };
}

interface StreamTerms {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
}

/** Subscribes on a session of its own, which ends with the queue. Throws RestconfFault, RpcFailed and Problem. */
async function subscribe(
  input: EventStreamsInput,
  { subscribed, query }: StreamTarget,
  { signal, onEnd }: StreamTerms,
): Promise<EventQueue> {
  const { name: owner, threads, scheduler, log, reportUnknown } = input;
  const { session, model } = await openPrepared(input, subscribed, signal);
  const queue = new EventQueue({
    scheduler,
    onEnd: () => {
      onEnd();
      session.close();
    },
  });
  try {
    const capabilities = subscriptionCapabilities(session.capabilities);
    const operation = await threads.subscription({ subscribed, query, capabilities }, { model, owner });
    session.onNotification((notification) => {
      reportUnknown(notification.unknownNodes, model);
      deliver(notification, queue);
    });
    await sendSubscription(session, operation, { signal, log });
  } catch (error) {
    queue.end();
    throw error;
  }
  signal.addEventListener('abort', () => {
    queue.end(ADAPTER_STOPPED);
  });
  session.onClose(() => {
    queue.end(SERVER_CLOSED);
  });
  if (signal.aborted) queue.end();
  return queue;
}

/** Opens a session and reads what a subscription needs. Does so once more if the session breaks, or the server loses its first request. */
async function openPrepared(
  { open, models }: EventStreamsInput,
  subscribed: Subscribed,
  signal: AbortSignal,
): Promise<{ readonly session: Session; readonly model: ModelBytes }> {
  for (let isRepeated = false; ; isRepeated = true) {
    const session = await open(signal);
    if (isRepeated) session.allowSilence();
    try {
      const model = await models.modelFor(session, signal);
      await requireStream(session, subscribed, signal);
      return { session, model };
    } catch (error) {
      const isBroken = !session.isOpen();
      session.close();
      if (isRepeated || !isBroken || signal.aborted) throw error;
    }
  }
}

/** Sends the operation of a subscription. Throws RpcFailed, and a Problem for a reply that confirms no subscription. */
async function sendSubscription(
  session: Session,
  operation: XmlOutput,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): Promise<void> {
  const { name } = operation;
  const as = name === 'establish-subscription' ? 'subscription' : 'ok';
  const confirmation = await session.rpc(operation, signal, { as });
  requireConfirmation(confirmation, { name, unconfirmed: NO_EVENTS });
  logWarnings(confirmation, name, log);
}

const NO_EVENTS = { text: 'no event would arrive.', mayBeDone: false };

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

async function* once(body: Buffer): AsyncGenerator<Buffer, void> {
  yield await Promise.resolve(body);
}

interface StreamTarget {
  readonly subscribed: Subscribed;
  readonly query: StreamQuery;
}

/** Reads the request of a stream. Throws RestconfFault. */
function targetOf({ method, path, headers }: OutboundRequest): StreamTarget {
  const [whole = '', query = ''] = path.split(/\?(.*)/s);
  const [, name, datastore] = /^(?:\/restconf)?\/streams\/([^/]+)(?:\/([^/]+))?$/.exec(whole) ?? [];
  if (name === undefined)
    throw new Problem('proxy_not_supported', 'this adapter has only event streams here, below /streams');
  if (method !== 'GET')
    throw refused(405, 'operation-not-supported', `${method} is not possible for an event stream`);
  if (!/text\/(?:event-stream|\*)|\*\/\*/i.test(headers['accept'] ?? '*/*'))
    throw refused(406, 'invalid-value', 'an event stream is text/event-stream');
  if (datastore === undefined)
    return { subscribed: { stream: decoded(name) }, query: readStreamQuery(query, false) };
  const isDatastore = name === 'yang-push' && /^[a-z][a-z-]*$/.test(datastore);
  if (!isDatastore)
    throw refused(
      404,
      'invalid-value',
      'there is no such stream: a datastore is /streams/yang-push/operational',
    );
  return { subscribed: { datastore }, query: readStreamQuery(query, true) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(400, 'malformed-message', 'the path has an invalid percent-encoding');
  }
}

/** Throws RestconfFault with 404 for a stream that the server does not list. */
async function requireStream(session: Session, subscribed: Subscribed, signal: AbortSignal): Promise<void> {
  if (!('stream' in subscribed)) return;
  const streams = await readStreams(session, signal);
  if (streams.length === 0 || streams.some(({ name }) => name === subscribed.stream)) return;
  const known = streams.map(({ name }) => name).join(', ');
  throw refused(404, 'invalid-value', `there is no stream "${subscribed.stream}"; the server has ${known}`);
}

/** Puts a notification into the queue, and ends it after the last one. */
function deliver({ json, fault, isLast }: NotificationJson, queue: EventQueue): void {
  if (json !== undefined) queue.push(json);
  if (fault !== undefined) queue.report(report('operation-failed', fault));
  if (isLast) queue.end();
}

function report(tag: string, message: string): RestconfError {
  return { 'error-type': 'application', 'error-tag': tag, 'error-message': message };
}

const ADAPTER_STOPPED = report(
  'operation-failed',
  'the stream ends because the adapter was stopped or replaced',
);
const SERVER_CLOSED = report('operation-failed', 'the stream ends because the server closed its session');
