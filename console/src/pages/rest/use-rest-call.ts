import { useRef, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { forgetCalls, type PastCall, pastCalls, rememberCall } from './history.js';
import { masked } from './masked.js';
import type { Draft, RestCallBody } from './rest-call.js';

/** Reply of the server to a call. */
export interface RestCallReply {
  readonly response: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly statusCode?: number;
}

/** A finished call: the request without its secrets, and the result. */
export interface FinishedCall {
  readonly sent: RestCallBody;
  readonly ms: number;
  readonly at: number;
  readonly reply?: RestCallReply;
  readonly problem?: ApiProblem;
  /** True if the user has canceled the call. */
  readonly isCanceled?: true;
  readonly requestId: string | undefined;
}

interface RestCalls {
  readonly called: FinishedCall | undefined;
  readonly isBusy: boolean;
  readonly past: readonly PastCall[];
  readonly send: (draft: Draft, body: RestCallBody) => Promise<void>;
  readonly cancel: () => void;
  readonly forget: () => void;
}

/** Sends calls, one at a time, and stores the calls of this user until the window is closed. */
export function useRestCall(user: string): RestCalls {
  const store = window.sessionStorage;
  const [called, setCalled] = useState<FinishedCall>();
  const [isBusy, setBusy] = useState(false);
  const [past, setPast] = useState(() => pastCalls(store, user));
  const running = useRef<AbortController>(undefined);
  const send = async (draft: Draft, body: RestCallBody) => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    const finished = await call(body, controller.signal);
    setCalled(finished);
    const { at, ms } = finished;
    setPast(rememberCall(store, user, { at, ms, draft, outcome: outcomeOf(finished) }));
    setBusy(false);
  };
  const forget = () => {
    forgetCalls(store, user);
    setPast([]);
  };
  return { called, isBusy, past, send, cancel: () => running.current?.abort(), forget };
}

function outcomeOf({ reply, problem, isCanceled }: FinishedCall): string {
  if (isCanceled) return 'canceled';
  return problem?.code ?? (reply?.statusCode === undefined ? 'ok' : String(reply.statusCode));
}

async function call(body: RestCallBody, signal: AbortSignal): Promise<FinishedCall> {
  const at = Date.now();
  const begin = performance.now();
  const sent = masked(body);
  const elapsed = () => Math.round(performance.now() - begin);
  try {
    const { data, requestId } = await request<RestCallReply>({
      method: 'POST',
      path: '/tools/restCall',
      body,
      signal,
    });
    return { sent, at, ms: elapsed(), reply: data, requestId };
  } catch (error) {
    if (signal.aborted) return { sent, at, ms: elapsed(), isCanceled: true, requestId: undefined };
    const problem = problemOf(error);
    return { sent, at, ms: elapsed(), problem, requestId: problem.requestId };
  }
}
