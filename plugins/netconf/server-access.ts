import type { Adapter, AdapterContext, OutboundRequest, UpstreamReply } from '../../src/core/adapter.js';
import { monotonicScheduler, type Scheduler } from '../../src/lib/clock.js';
import { createSerialQueue } from '../../src/lib/serial-queue.js';
import { connectSession } from './connect.js';
import { createEventStreams } from './event-streams.js';
import { handleRequest, targetOf } from './handle-request.js';
import { createModelHolder } from './model-holder.js';
import type { NetconfOptions } from './options.js';
import { ReaderThreads } from './reader-threads.js';
import { faultReply, refused } from './replies.js';
import { faultOf } from './rpc-errors.js';
import { rpcRequest, rpcResult } from './rpc-methods.js';
import type { EditSettings } from './server.js';
import { createSessionPool } from './session-pool.js';
import { createReportUnknown } from './unknown-nodes.js';

/** Threads that read the messages of all servers. None runs before the first message. */
const THREADS = new ReaderThreads();

/** Functions of an adapter that reach the server. */
type ServerAccess = Required<
  Pick<Adapter, 'start' | 'stop' | 'send' | 'connection' | 'openStream' | 'methods' | 'callMethod'>
>;

/** Creates the access to one server. Opens no connection before `start`. */
export function createServerAccess(options: NetconfOptions, context: AdapterContext): ServerAccess {
  const { sessions, maxWaiting, idleMs } = options;
  const { log, name } = context;
  const scheduler = monotonicScheduler;
  const threads = THREADS;
  const connect: AdapterContext['connect'] = (target, signal) => context.connect(target, signal);
  const open = (signal: AbortSignal) =>
    connectSession(options, { name, connect, threads, scheduler }, signal);
  const pool = createSessionPool({ open, maxSessions: sessions, maxWaiting, idleMs, scheduler });
  const models = createModelHolder(options, context, { maxModelBytes: threads.maxModelBytes });
  const reportUnknown = createReportUnknown(log, options.unknownNodes);
  const { streams: maxStreams } = options;
  const served = { name, open, models, threads, scheduler, log, reportUnknown, maxStreams };
  const streams = createEventStreams(served);
  const settings = editSettings(options, scheduler);
  const runInTurn = createSerialQueue();

  const call = (request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply> =>
    pool.use(async (session) => {
      try {
        const model = await models.modelFor(session, signal);
        const target = targetOf(request.path);
        requireJson(request);
        return await handleRequest(
          { adapter: name, session, model, threads, signal, settings, log, reportUnknown },
          request,
          target,
        );
      } catch (error) {
        return faultReply(faultOf(error));
      }
    }, signal);

  return {
    start: (signal) =>
      pool.use(async (session) => {
        await models.modelFor(session, signal);
      }, signal),
    stop: () => {
      models.close();
      streams.close();
      pool.close();
      return Promise.resolve();
    },
    // Changes of one server are made one after the other, so that they do not wait for each other's locks.
    send: (request, signal) =>
      isChange(request) ? runInTurn({ signal }, () => call(request, signal)) : call(request, signal),
    methods: () => Promise.resolve(models.methods()),
    callMethod: async (method, signal) => rpcResult(await call(rpcRequest(method), signal)),
    connection: pool.connection,
    openStream: streams.openStream,
  };
}

function editSettings(
  { datastore, validate, confirmSeconds, lockMs }: NetconfOptions,
  scheduler: Scheduler,
): EditSettings {
  return {
    target: datastore,
    validates: validate,
    confirmSeconds,
    lockMs,
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => {
          cancel();
          reject(signal.reason as Error);
        };
        const cancel = scheduler.after(ms, () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        });
        signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

function isChange({ method, path }: OutboundRequest): boolean {
  return method !== 'GET' && !/^(?:\/restconf)?\/operations\//.test(path);
}

/** Throws RestconfFault for media types other than JSON. */
function requireJson({ headers, body }: OutboundRequest): void {
  const contentType = (headers['content-type'] ?? '').toLowerCase();
  if (body && !/^application\/(?:yang-data\+)?json\b/.test(contentType))
    throw refused(415, 'invalid-value', 'send application/yang-data+json');
  const accept = (headers['accept'] ?? '*/*').toLowerCase();
  if (!/json|\*\/\*|application\/\*/.test(accept))
    throw refused(406, 'invalid-value', 'replies are application/yang-data+json');
}
