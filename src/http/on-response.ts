import { recordResponse, type ResponseEnd } from './access-log.js';
import { offConnectionClose, onConnectionClose } from './connection-close.js';
import type { HeldByCall, RequestContext, RequestContextDeps } from './request-context.js';
import type { SentResponse } from './response.js';

/**
 * Ends a request after its response: records it, and releases what its call holds. Called once for each request, when the
 * response was handed to the system or its connection has closed. Never throws, because its callers are listeners.
 */
export function onResponse(deps: RequestContextDeps, context: RequestContext, end: ResponseEnd): void {
  try {
    recordResponse(deps, context, end);
  } catch (error) {
    deps.log.error('request not recorded', { requestId: context.requestId, error });
  }
  try {
    if (context.held) releaseHeld(context.held);
  } catch (error) {
    deps.log.error('end of the request failed', { requestId: context.requestId, error });
  }
}

/** Releases what a call holds, at most once. */
export function releaseHeld(held: HeldByCall): void {
  const { onEnd, endCall } = held;
  held.onEnd = undefined;
  held.endCall = undefined;
  try {
    onEnd?.();
  } finally {
    endCall?.();
  }
}

/** Releases what the call holds if no response was sent, which only an error in this server can cause. */
export function releaseUnsent({ held, response }: RequestContext): void {
  if (held && !response) releaseHeld(held);
}

/**
 * Calls {@link onResponse} when the response has ended. Must be called before the response is written. A later response to the
 * same request, which replaces one that could not be written, only replaces the result.
 */
export function awaitEnd(deps: RequestContextDeps, context: RequestContext, response: SentResponse): void {
  const isAwaited = context.response !== undefined;
  context.response = response;
  if (isAwaited) return;
  const { req, res } = context;
  const { socket } = req;
  const onEnd = (): void => {
    offConnectionClose(socket, onEnd);
    if (context.endResponse === undefined) return;
    context.endResponse = undefined;
    onResponse(deps, context, endOf(deps, context));
  };
  context.endResponse = onEnd;
  // Node also emits `finish` for a response whose connection failed, and no event for a pipelined response that waits.
  res.on('finish', onEnd);
  onConnectionClose(socket, onEnd);
}

function endOf({ clock }: RequestContextDeps, context: RequestContext): ResponseEnd {
  const { response, req, startedAt } = context;
  return {
    status: response?.status ?? 0,
    bytes: response?.body.length,
    ms: clock.now() - startedAt,
    clientClosed: req.socket.destroyed,
    isForwarded: false,
    problem: response?.problem,
  };
}
