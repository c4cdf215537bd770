import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Problem } from '../core/problem.js';
import type { ByteTunnel, StreamReply, ByteStream } from '../core/stream.js';
import { markStreaming } from './connections.js';
import { isBodyComplete, drainRequest } from './drain-request.js';
import type { HttpExchange, StallLimits } from './request-context.js';

/** Outcome of a relayed reply. */
export interface RelayResult {
  readonly ending: PipeOutcome;
  /** Bytes of the body, or of both directions of a tunnel. */
  readonly bytes: number;
}

interface RelayOptions {
  readonly requestId: string;
  readonly patience: StallLimits;
}

/**
 * Relays a reply while it arrives, or connects the two ends of a tunnel. A reply that is cut short terminates
 * the caller's connection, so that it never looks complete. Resolves when both sides are released. Throws
 * `upstream_bad_reply`, before anything is written, for a head that cannot be relayed.
 */
export async function relayResponse(
  exchange: HttpExchange,
  reply: StreamReply,
  terms: RelayOptions,
): Promise<RelayResult> {
  const { req, res } = exchange;
  if (!isBodyComplete(req)) res.shouldKeepAlive = false;
  try {
    res.writeHead(reply.status, [...headLines(reply), ...filterHopByHop(terms)].flat());
  } catch (cause) {
    reply.body.destroy();
    throw new Problem('upstream_bad_reply', 'The head of the reply cannot be passed on.', { cause });
  }
  markStreaming(res);
  return reply.tunnel ? join(exchange, reply.tunnel, terms) : passBody(exchange, reply, terms);
}

type Line = readonly [string, string];

/**
 * Returns the headers that this server adds. They prevent a page of an orchestrator from acting as a page of
 * this server, although it has the same origin.
 */
function filterHopByHop({ requestId }: RelayOptions): readonly Line[] {
  return [
    ['content-security-policy', 'sandbox'],
    ['x-content-type-options', 'nosniff'],
    ['x-request-id', requestId],
  ];
}

function headLines({ headers, tunnel }: StreamReply): readonly Line[] {
  return tunnel ? [...headers, ['connection', 'Upgrade'], ['upgrade', 'websocket']] : headers;
}

async function passBody(
  { req, res }: HttpExchange,
  { body }: StreamReply,
  { patience }: RelayOptions,
): Promise<RelayResult> {
  let bytes = 0;
  // Events may arrive long after the head; a body that is already available is sent together with the head.
  setImmediate(() => {
    if (bytes === 0 && !res.writableEnded) res.flushHeaders();
  });
  const ending = await pipeBody(body, res, {
    count: (more) => (bytes += more),
    stall: { socket: req.socket, ms: patience.stallMs },
  });
  if (ending === 'whole') {
    if (!isBodyComplete(req)) await drainRequest(req, patience);
    return { ending: await finish(res, patience), bytes };
  }
  body.destroy();
  breakOff(res);
  return { ending, bytes };
}

/** Ends a reply and waits until the client has received it. */
function finish(res: ServerResponse, { stallMs }: StallLimits): Promise<PipeOutcome> {
  return new Promise((resolve) => {
    if (res.destroyed) resolve('left');
    res.once('finish', () => {
      resolve('whole');
    });
    res.once('close', () => {
      resolve('left');
    });
    res.end();
    if (res.writableLength > 0) res.setTimeout(stallMs);
  });
}

/**
 * Terminates the connection. For an HTTP/1.0 client a closed connection is the end of the reply; only a reset
 * shows that the reply is incomplete.
 */
function breakOff({ req }: ServerResponse): void {
  // Uses the request's socket: a response that waits for an earlier response has no socket.
  const { socket } = req;
  if (req.httpVersion === '1.0' && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}

async function join(
  { req, res }: HttpExchange,
  tunnel: ByteTunnel,
  { patience }: RelayOptions,
): Promise<RelayResult> {
  const { socket } = req;
  res.flushHeaders();
  res.detachSocket(socket);
  let bytes = 0;
  const count = (more: number) => (bytes += more);
  const endings = await Promise.all([
    half(tunnel, socket, pipeBody(tunnel, socket, { count, stall: { socket, ms: patience.stallMs } })),
    half(socket, tunnel, pipeBody(socket, tunnel, { count })),
  ]);
  return { ending: endings.find((one) => one !== 'whole') ?? 'whole', bytes };
}

/**
 * Finishes one direction of a tunnel. A side that has ended may still receive; if one side fails, both are
 * destroyed.
 */
async function half(
  source: Socket | ByteTunnel,
  sink: Socket | ByteTunnel,
  work: Promise<PipeOutcome>,
): Promise<PipeOutcome> {
  const ending = await work;
  if (ending === 'whole') {
    sink.end();
  } else {
    source.destroy();
    sink.destroy();
  }
  return ending;
}

/** How a pipe ended: the source completed, the source failed, or the sink closed. */
type PipeOutcome = 'whole' | 'broken' | 'left';

/** Destination of a pipe. */
interface BodyWriter extends NodeJS.WritableStream {
  readonly destroyed: boolean;
}

interface PipeOptions {
  /** Called with the size of every chunk. */
  readonly count: (bytes: number) => void;
  /**
   * The connection that is destroyed when the sink makes no progress for `ms`; absent: the caller handles
   * stalls.
   */
  readonly stall?: { readonly socket: Socket; readonly ms: number };
}

/** Copies bytes as they arrive, no faster than the sink accepts them. Ends neither stream. */
export function pipeBody(
  source: ByteStream,
  sink: BodyWriter,
  { count, stall }: PipeOptions,
): Promise<PipeOutcome> {
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      count(chunk.length);
      if (sink.write(chunk)) return;
      source.pause();
      // Node restarts this timeout with every bit of progress.
      stall?.socket.setTimeout(stall.ms);
    };
    const resume = (): void => {
      stall?.socket.setTimeout(0);
      source.resume();
    };
    const end = (): void => {
      settle('whole');
    };
    const breakOff = (): void => {
      settle('broken');
    };
    const leave = (): void => {
      settle('left');
    };
    const giveUp = (): void => {
      stall?.socket.destroy();
    };
    function settle(ending: PipeOutcome): void {
      source.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
      sink.off('drain', resume).off('close', leave);
      stall?.socket.off('timeout', giveUp).setTimeout(0);
      resolve(ending);
    }
    stall?.socket.on('timeout', giveUp);
    sink.on('drain', resume).on('close', leave);
    source.on('end', end).on('error', breakOff).on('close', breakOff);
    if (sink.destroyed) leave();
    else if (source.destroyed) breakOff();
    else source.on('data', take).resume();
  });
}
