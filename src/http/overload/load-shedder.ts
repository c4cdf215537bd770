import type { RequestListener, ServerResponse } from 'node:http';
import { silentLog } from '../../core/log.js';
import type { DescribedOperation, OperationRow } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { clientClosedRequest } from '../client-disconnect.js';
import type { HttpExchange, RequestContextDeps } from '../request-context.js';
import { createRefuse } from '../write-response.js';
import type { Overload, OverloadReason } from './overload-detector.js';

/**
 * Serves a request now, queues the request, or refuses the request during an overload. `calls` is the number
 * of calls in flight, including this request.
 */
export type LoadShedder = (exchange: HttpExchange, calls: number, handler: RequestListener) => void;

/** The properties that exempt an operation from load shedding. */
interface Sheddable extends Pick<DescribedOperation, 'paths' | 'component' | 'isInteractive'> {
  readonly row: Pick<OperationRow, 'method' | 'roles' | 'body' | 'sheddable'>;
}

/** Value of `Retry-After`, in seconds. */
const RETRY_AFTER_SECONDS = '1';

/** Number of requests in flight to interactive applications that are served during an overload of the event loop. */
const INTERACTIVE_SHARE = 16;

/**
 * Creates the load shedder. The load shedder refuses requests before the server works on them: 503 with
 * `Retry-After` (RFC 9110 section 10.2.3). Health, metrics, management and the console below `/ui` are always
 * served immediately, except operations that call orchestrators. Forms and tasks, which people wait for, are served immediately up to
 * {@link INTERACTIVE_SHARE} requests. Stream operations are not exempt, and neither are bodies of unknown callers while the memory is
 * full. The overload detector counts and logs refusals, so there is no log line for each refused request.
 */
export function createLoadShedder(
  deps: RequestContextDeps,
  overload: Pick<Overload, 'refusalReason' | 'note' | 'isLoopLate' | 'enqueue'>,
  operations: readonly Sheddable[],
): LoadShedder {
  const exemptOperations = operations.filter(
    ({ component, row }) => component === undefined && row.method !== 'ANY',
  );
  const exemptSegments = new Set(['ui', ...exemptOperations.flatMap(({ paths }) => paths.map(firstSegment))]);
  const publicBodyPaths = new Set(
    exemptOperations.flatMap(({ row, paths }) => (row.roles === 'public' && row.body ? paths : [])),
  );
  const sheddablePaths = operations.flatMap(({ row, paths }) => (row.sheddable ? paths.map(patternOf) : []));
  const isExempt = (url: string, reason: OverloadReason | undefined): boolean => {
    if (!exemptSegments.has(firstSegment(url))) return false;
    const path = pathOf(url);
    if (sheddablePaths.some((pattern) => pattern.test(path))) return false;
    return !(reason === 'memory' && publicBodyPaths.has(path));
  };
  const interactive = createInteractiveShare(operations);
  const refuse = createRefuse({ ...deps, log: silentLog });
  const refuseAndLog = createRefuse(deps);
  const problem = new Problem('overloaded', 'The server is overloaded at this moment.', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
  return (exchange, calls, handler) => {
    const { req, res } = exchange;
    const reason = overload.refusalReason(calls);
    const hasCapacity = reason === undefined && !overload.isLoopLate();
    const url = req.url ?? '';
    if (interactive.admits(url, reason)) {
      interactive.count(res);
      handler(req, res);
    } else if (hasCapacity || isExempt(url, reason)) {
      handler(req, res);
    } else if (reason === undefined) {
      overload.enqueue(() => {
        // A destroyed socket has already emitted `close`, so a handler that waits for the event never
        // finishes.
        if (req.socket.destroyed) void refuseAndLog(exchange, clientClosedRequest());
        else handler(req, res);
      });
    } else {
      overload.note(reason);
      // In the next turn, a short body that came with its head has arrived and needs no draining.
      setImmediate(() => void refuse(exchange, problem));
    }
  };
}

/** The share of interactive applications in the requests that are served during an overload. */
interface InteractiveShare {
  readonly admits: (url: string, reason: OverloadReason | undefined) => boolean;
  /** Counts a request until its response is closed. */
  readonly count: (res: ServerResponse) => void;
}

function createInteractiveShare(operations: readonly Sheddable[]): InteractiveShare {
  const segments = new Set(
    operations.flatMap(({ isInteractive, paths }) => (isInteractive ? paths.map(firstSegment) : [])),
  );
  let requests = 0;
  return {
    admits: (url, reason) =>
      reason !== 'memory' && requests < INTERACTIVE_SHARE && segments.has(firstSegment(url)),
    count(res) {
      requests += 1;
      res.once('close', () => {
        requests -= 1;
      });
    },
  };
}

/** Returns a pattern for a path with `:name` parameters, which Express also serves with a trailing slash. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}/?$`);
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

/** Returns the first segment of a target: `health` for `/health/status?a=b`. */
function firstSegment(target: string): string {
  return /^\/([^/?]*)/.exec(target)?.[1] ?? '';
}
