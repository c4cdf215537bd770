import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Problem } from '../core/problem.js';
import type { ByteTunnel, StreamReply, ByteStream } from '../core/stream.js';
import { markStreaming } from './connections.js';
import { isBodyComplete, drainRequest } from './drain-request.js';
import type { HttpExchange, StallLimits } from './request-context.js';

/** What was passed on to the caller, and how that ended. */
export interface RelayResult {
  readonly ending: PipeOutcome;
  /** Of the body, or of a tunnel in both directions. */
  readonly bytes: number;
}

export interface RelayOptions {
  readonly requestId: string;
  readonly patience: StallLimits;
}

/**
 * Passes a reply on while it arrives, or joins the two ends of a tunnel. A reply that breaks off in the middle breaks the
 * caller's connection off: it never ends as if it were whole. Resolves when both sides are let go of. Throws
 * `upstream_bad_reply`, and has written nothing, for a head that cannot be passed on.
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

/** A page of an orchestrator must not act as one of ours, although it comes from our address. */
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
  // Events may come long after the head; a body that is there already goes out together with it.
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

/** Ends a reply and waits until it has been taken. */
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

/** To a client of HTTP/1.0 a closed connection is the end of the reply; only a reset tells that it was cut short. */
function breakOff({ req }: ServerResponse): void {
  // Not that of the response: one that waits behind another has none.
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

/** One side that says goodbye may still listen; when one breaks, both are over. */
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

/** How the pouring of one stream into another ended: with the source, in the middle of it, or with the sink. */
export type PipeOutcome = 'whole' | 'broken' | 'left';

/** What is poured into. */
export interface BodyWriter extends NodeJS.WritableStream {
  readonly destroyed: boolean;
}

export interface PipeOptions {
  /** Told the size of every piece. */
  readonly count: (bytes: number) => void;
  /** The connection that ends when nothing of what waits is taken for so long; absent: somebody else looks after it. */
  readonly stall?: { readonly socket: Socket; readonly ms: number };
}

/** Passes bytes on as they come, no faster than they are taken. Ends neither of the two. */
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
      // Node restarts this clock with every bit of progress.
      stall?.socket.setTimeout(stall.ms);
    };
    const goOn = (): void => {
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
      sink.off('drain', goOn).off('close', leave);
      stall?.socket.off('timeout', giveUp).setTimeout(0);
      resolve(ending);
    }
    stall?.socket.on('timeout', giveUp);
    sink.on('drain', goOn).on('close', leave);
    source.on('end', end).on('error', breakOff).on('close', breakOff);
    if (sink.destroyed) leave();
    else if (source.destroyed) breakOff();
    else source.on('data', take).resume();
  });
}
