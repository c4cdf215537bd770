import type { Connection } from '../../src/core/adapter.js';
import type { Log } from '../../src/core/log.js';
import type { Scheduler } from '../../src/lib/clock.js';
import { problemCodeOf } from './generic-reply.js';
import type { GenericOutcome } from './messages.js';

/** State of an adapter's connection, with the reason why its orchestrator cannot be used. */
type ConnectionChange =
  | { readonly state: 'ONLINE' }
  | { readonly state: 'OFFLINE' | 'LOGIN_REFUSED'; readonly reason: string };

/** Connection of one adapter, which its events and the outcomes of its calls change. */
interface ConnectionRecord {
  readonly current: () => Connection;
  /** Records an event of the adapter or of its worker. */
  readonly recordEvent: (change: ConnectionChange) => void;
  /** Records the outcome of a call. Keeps the first reason while calls fail one after the other. */
  readonly recordOutcome: (outcome: GenericOutcome) => void;
}

/**
 * Number of calls in a row answered with 401 after which the login of a working adapter counts as refused. Some
 * orchestrators answer 401 to one call that the account may not make.
 */
const MAX_REFUSED_CALLS = 2;

/** Reason of an adapter that reports that it is offline, without a cause. */
export const REPORTED_OFFLINE = 'the adapter reports that it is offline';

const LOG_MESSAGES = {
  ONLINE: 'community adapter is online',
  OFFLINE: 'community adapter is offline',
  LOGIN_REFUSED: 'community adapter cannot log in',
} as const;

/** Creates the record of a connection, and logs each change. */
export function createConnectionRecord(scheduler: Scheduler, log: Log): ConnectionRecord {
  let connection: Connection = { state: 'UNKNOWN', since: scheduler.now() };
  let tries: Pick<Connection, 'lastTriedAt' | 'lastTriedBy' | 'lastOkAt'> = {};
  let refusedCalls = 0;
  const noteTry = (lastTriedBy: 'call' | 'probe', { state }: ConnectionChange): void => {
    const lastTriedAt = scheduler.now();
    tries = { ...tries, lastTriedAt, lastTriedBy, ...(state === 'ONLINE' && { lastOkAt: lastTriedAt }) };
  };
  const setState = (change: ConnectionChange): void => {
    const reason = change.state === 'ONLINE' ? undefined : change.reason;
    if (connection.state === change.state && connection.reason === reason) return;
    // Every adapter reports that it is offline before its first check.
    const level = connection.state === 'UNKNOWN' ? 'debug' : 'warn';
    connection = { ...change, since: scheduler.now() };
    if (reason === undefined) log.info(LOG_MESSAGES[change.state]);
    else log[level](LOG_MESSAGES[change.state], { reason });
  };
  return {
    current: () => ({ ...connection, ...tries }),
    recordEvent(change) {
      // Before its first check, an adapter reports that it is offline, which is no result.
      if (connection.state !== 'UNKNOWN' || change.state === 'ONLINE') noteTry('probe', change);
      // A report without a cause does not disprove the refused login that a call found.
      const isKept = connection.state === 'LOGIN_REFUSED' && change.state === 'OFFLINE';
      if (!isKept || change.reason !== REPORTED_OFFLINE) setState(change);
    },
    recordOutcome(outcome) {
      const change = changeAfter(outcome);
      if (change) noteTry('call', change);
      if (isRefusedCall(outcome)) refusedCalls += 1;
      else if (change?.state === 'ONLINE') refusedCalls = 0;
      if (!change || change.state === connection.state) return;
      const isTolerated =
        connection.state === 'ONLINE' && isRefusedCall(outcome) && refusedCalls < MAX_REFUSED_CALLS;
      if (!isTolerated) setState(change);
    },
  };
}

/** Returns true for an answer of 401 to one call. A refused login is the answer to all calls. */
function isRefusedCall(outcome: GenericOutcome): boolean {
  return (
    outcome.kind === 'error' && outcome.code === 401 && problemCodeOf(outcome.icode, 0) !== 'upstream_auth'
  );
}

/** Returns true for an outcome that comes from the orchestrator. */
function isAnswer(outcome: Exclude<GenericOutcome, { readonly kind: 'error' }>): boolean {
  return outcome.kind === 'result' ? outcome.isReply === true : outcome.kind !== 'refused';
}

/**
 * Returns what the outcome of a call says about the connection: a reply means that the orchestrator is online, and a
 * failed connection means that it is offline, and refused credentials that it refuses the login. Other failures say nothing, and neither does the result of a
 * method that is no reply.
 */
function changeAfter(outcome: GenericOutcome): ConnectionChange | undefined {
  if (outcome.kind !== 'error') return isAnswer(outcome) ? { state: 'ONLINE' } : undefined;
  const { code = 0, icode, message } = outcome;
  const reported = `the adapter reports ${icode}: ${message}`;
  const problemCode = code === 401 ? 'upstream_auth' : problemCodeOf(icode, code);
  if (problemCode === 'upstream_auth')
    return { state: 'LOGIN_REFUSED', reason: `the orchestrator refuses the credentials: ${reported}` };
  if (code >= 300 && code <= 599) return { state: 'ONLINE' };
  if (problemCode === 'upstream_unreachable' || problemCode === 'upstream_timeout')
    return { state: 'OFFLINE', reason: `the orchestrator does not answer: ${reported}` };
  return undefined;
}
