import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { mediaTypeOf } from '../core/header.js';
import { Problem } from '../core/problem.js';
import type { ByteTunnel, HeaderLines, StreamReply, ByteStream } from '../core/stream.js';
import { abortConnection } from './connection-close.js';
import { markStreaming } from './connections.js';
import { isBodyComplete, drainRequest } from './drain-request.js';
import type { HttpExchange, StallLimits } from './request-context.js';
import { closeWithFrame, FrameTracker, policyCloseFrame } from './web-socket-close.js';
import { writeReceivedHead } from './write-received-head.js';

/** Result of a relayed response. */
export interface RelayResult {
  readonly outcome: PipeOutcome;
  /** Number of bytes of the body, or of both directions of a tunnel. */
  readonly bytes: number;
}

interface RelayOptions {
  readonly requestId: string;
  readonly stallLimits: StallLimits;
}

/**
 * Relays an upstream response while it arrives, or connects the two sides of a tunnel. If the response ends
 * early, terminates the client's connection, so that the response never looks complete. Resolves when both
 * sides are released. Throws `upstream_bad_reply`, before it writes anything, if the head is invalid.
 */
export async function relayResponse(
  exchange: HttpExchange,
  reply: StreamReply,
  options: RelayOptions,
): Promise<RelayResult> {
  const { req, res } = exchange;
  if (!isBodyComplete(req)) res.shouldKeepAlive = false;
  try {
    writeReceivedHead(res, {
      status: reply.status,
      lines: headersFor(reply, options),
    });
  } catch (cause) {
    reply.body.destroy();
    throw new Problem('upstream_bad_reply', 'The head of the upstream response is invalid.', { cause });
  }
  markStreaming(res);
  return reply.tunnel ? joinTunnel(exchange, reply.tunnel, options) : relayBody(exchange, reply, options);
}

/**
 * Returns the received headers and those that this server adds. A page of an orchestrator has the same origin as the pages of
 * this server, and the added headers prevent it from acting as one of them.
 */
function headersFor({ headers, tunnel }: StreamReply, { requestId }: RelayOptions): HeaderLines {
  const lines = [...headers];
  if (tunnel) lines.push(['connection', 'Upgrade'], ['upgrade', 'websocket']);
  if (headers.some(isEventStream)) lines.push(NO_BUFFERING);
  lines.push(SANDBOX, NO_SNIFFING, ['x-request-id', requestId]);
  return lines;
}

function isEventStream([name, value]: HeaderLines[number]): boolean {
  return name.toLowerCase() === 'content-type' && mediaTypeOf(value) === 'text/event-stream';
}

/** Reverse proxies forward each event at once. The orchestrator's own header for that is withheld, as all that steers them. */
const NO_BUFFERING = ['x-accel-buffering', 'no'] as const;

const SANDBOX = ['content-security-policy', 'sandbox'] as const;
const NO_SNIFFING = ['x-content-type-options', 'nosniff'] as const;

async function relayBody(
  { req, res }: HttpExchange,
  { body }: StreamReply,
  { stallLimits }: RelayOptions,
): Promise<RelayResult> {
  let bytes = 0;
  // Sends a body that is already available together with the head. Otherwise, sends the head alone, because
  // the first event of a stream may arrive much later.
  setImmediate(() => {
    if (bytes === 0 && !res.writableEnded) res.flushHeaders();
  });
  const outcome = await pipeBody(body, res, {
    count: ({ length }) => (bytes += length),
    stall: { socket: req.socket, ms: stallLimits.stallMs },
  });
  if (outcome === 'completed') {
    if (!isBodyComplete(req)) await drainRequest(req, stallLimits);
    return { outcome: await finishResponse(res, stallLimits), bytes };
  }
  body.destroy();
  abortConnection(res);
  return { outcome, bytes };
}

/** Ends a response, and waits until it is sent. */
function finishResponse(res: ServerResponse, { stallMs }: StallLimits): Promise<PipeOutcome> {
  return new Promise((resolve) => {
    if (res.destroyed) resolve('sink_closed');
    res.once('finish', () => {
      resolve('completed');
    });
    res.once('close', () => {
      resolve('sink_closed');
    });
    res.end();
    if (res.writableLength > 0) res.setTimeout(stallMs);
  });
}

async function joinTunnel(
  { req, res }: HttpExchange,
  tunnel: ByteTunnel,
  { stallLimits }: RelayOptions,
): Promise<RelayResult> {
  const { socket } = req;
  const { stallMs, lingerMs } = stallLimits;
  res.flushHeaders();
  res.detachSocket(socket);
  const frames = new FrameTracker();
  let bytes = 0;
  const count = (chunk: Buffer) => (bytes += chunk.length);
  const countFrames = (chunk: Buffer): void => {
    count(chunk);
    frames.push(chunk);
  };
  let failure: unknown;
  tunnel.on('error', (error: unknown) => {
    failure = error;
  });
  let closing: Promise<void> | undefined;
  // The first direction that fails destroys both sides.
  const destroy = (): Promise<void> => {
    tunnel.destroy();
    closing ??= closeSocket(socket, { reason: closeReasonOf(failure), frames, lingerMs });
    return closing;
  };
  const stall = { socket, ms: stallMs };
  const outcomes = await Promise.all([
    finishDirection(socket, pipeBody(tunnel, socket, { count: countFrames, stall }), destroy),
    finishDirection(tunnel, pipeBody(socket, tunnel, { count }), destroy),
  ]);
  return { outcome: outcomes.find((outcome) => outcome !== 'completed') ?? 'completed', bytes };
}

/** Finishes one direction of a tunnel. A side that has ended may still receive. */
async function finishDirection(
  sink: Socket | ByteTunnel,
  work: Promise<PipeOutcome>,
  destroy: () => Promise<void>,
): Promise<PipeOutcome> {
  const outcome = await work;
  if (outcome === 'completed') sink.end();
  else await destroy();
  return outcome;
}

/** Returns the reason for the close frame of a WebSocket whose caller has lost the right to it; undefined for other failures. */
function closeReasonOf(failure: unknown): string | undefined {
  const status = failure instanceof Problem ? failure.status : undefined;
  if (status === 401) return 'the token is not valid any more';
  return status === 403 ? 'the access rules do not admit the call any more' : undefined;
}

/** Closes the client's side of a WebSocket: with a close frame if there is a reason, and no message is half sent. */
async function closeSocket(
  socket: Socket,
  {
    reason,
    frames,
    lingerMs,
  }: { readonly reason: string | undefined; readonly frames: FrameTracker; readonly lingerMs: number },
): Promise<void> {
  if (reason === undefined || !frames.isBetweenFrames || socket.destroyed) socket.destroy();
  else await closeWithFrame(socket, policyCloseFrame(reason), lingerMs);
}

/** Reason for the end of a pipe. */
type PipeOutcome = 'completed' | 'source_failed' | 'sink_closed';

/** Destination of a pipe. */
interface BodyWriter extends NodeJS.WritableStream {
  readonly destroyed: boolean;
}

interface PipeOptions {
  /** Called with every chunk. */
  readonly count: (chunk: Buffer) => void;
  /** The connection to destroy if the sink makes no progress for `ms`; absent: the caller handles stalls. */
  readonly stall?: { readonly socket: Socket; readonly ms: number };
}

/** Copies bytes from the source to the sink, at the speed of the sink. Ends neither stream. */
function pipeBody(source: ByteStream, sink: BodyWriter, { count, stall }: PipeOptions): Promise<PipeOutcome> {
  return new Promise((resolve) => {
    const onData = (chunk: Buffer): void => {
      count(chunk);
      if (sink.write(chunk)) return;
      source.pause();
      // Node restarts this timeout on every progress of the socket.
      stall?.socket.setTimeout(stall.ms);
    };
    const onDrain = (): void => {
      stall?.socket.setTimeout(0);
      source.resume();
    };
    const onEnd = (): void => {
      settle('completed');
    };
    const onFailure = (): void => {
      settle('source_failed');
    };
    const onSinkClose = (): void => {
      settle('sink_closed');
    };
    const onStall = (): void => {
      stall?.socket.destroy();
    };
    function settle(outcome: PipeOutcome): void {
      source.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onFailure);
      sink.off('drain', onDrain).off('close', onSinkClose);
      stall?.socket.off('timeout', onStall).setTimeout(0);
      resolve(outcome);
    }
    stall?.socket.on('timeout', onStall);
    sink.on('drain', onDrain).on('close', onSinkClose);
    source.on('end', onEnd).on('error', onFailure).on('close', onFailure);
    if (sink.destroyed) onSinkClose();
    else if (source.destroyed) onFailure();
    else source.on('data', onData).resume();
  });
}
