import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Problem } from '../domain/problem.js';
import type { ByteTunnel, StreamReply } from '../domain/stream.js';
import { goOn } from './connections.js';
import { hasArrived, swallow } from './linger.js';
import { pour, type Poured } from './pour.js';
import type { Exchange, Patience } from './visit.js';

/** What was passed on to the caller, and how that ended. */
export interface Passed {
  readonly ending: Poured;
  /** Of the body, or of a tunnel in both directions. */
  readonly bytes: number;
}

export interface PassTerms {
  readonly requestId: string;
  readonly patience: Patience;
}

/**
 * Passes a reply on while it arrives, or joins the two ends of a tunnel. A reply that breaks off in the middle breaks the
 * caller's connection off: it never ends as if it were whole. Resolves when both sides are let go of. Throws
 * `upstream_bad_reply`, and has written nothing, for a head that cannot be passed on.
 */
export async function passOn(exchange: Exchange, reply: StreamReply, terms: PassTerms): Promise<Passed> {
  const { req, res } = exchange;
  if (!hasArrived(req)) res.shouldKeepAlive = false;
  try {
    res.writeHead(reply.status, [...headLines(reply), ...ownLines(terms)].flat());
  } catch (cause) {
    reply.body.destroy();
    throw new Problem('upstream_bad_reply', 'The head of the reply cannot be passed on.', { cause });
  }
  goOn(res);
  return reply.tunnel ? join(exchange, reply.tunnel, terms) : passBody(exchange, reply, terms);
}

type Line = readonly [string, string];

/** A page of an orchestrator must not act as one of ours, although it comes from our address. */
function ownLines({ requestId }: PassTerms): readonly Line[] {
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
  { req, res }: Exchange,
  { body }: StreamReply,
  { patience }: PassTerms,
): Promise<Passed> {
  let bytes = 0;
  // Events may come long after the head; a body that is there already goes out together with it.
  setImmediate(() => {
    if (bytes === 0 && !res.writableEnded) res.flushHeaders();
  });
  const ending = await pour(body, res, {
    count: (more) => (bytes += more),
    stall: { socket: req.socket, ms: patience.stallMs },
  });
  if (ending === 'whole') {
    if (!hasArrived(req)) await swallow(req, patience);
    return { ending: await finish(res, patience), bytes };
  }
  body.destroy();
  breakOff(res);
  return { ending, bytes };
}

/** Ends a reply and waits until it has been taken. */
function finish(res: ServerResponse, { stallMs }: Patience): Promise<Poured> {
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

async function join({ req, res }: Exchange, tunnel: ByteTunnel, { patience }: PassTerms): Promise<Passed> {
  const { socket } = req;
  res.flushHeaders();
  res.detachSocket(socket);
  let bytes = 0;
  const count = (more: number) => (bytes += more);
  const endings = await Promise.all([
    half(tunnel, socket, pour(tunnel, socket, { count, stall: { socket, ms: patience.stallMs } })),
    half(socket, tunnel, pour(socket, tunnel, { count })),
  ]);
  return { ending: endings.find((one) => one !== 'whole') ?? 'whole', bytes };
}

/** One side that says goodbye may still listen; when one breaks, both are over. */
async function half(
  source: Socket | ByteTunnel,
  sink: Socket | ByteTunnel,
  work: Promise<Poured>,
): Promise<Poured> {
  const ending = await work;
  if (ending === 'whole') {
    sink.end();
  } else {
    source.destroy();
    sink.destroy();
  }
  return ending;
}
