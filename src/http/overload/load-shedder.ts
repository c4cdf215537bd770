import type { RequestListener } from 'node:http';
import { silentLog } from '../../core/log.js';
import type { DescribedOperation, OperationRow } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { clientClosedRequest } from '../client-disconnect.js';
import { createRefuse } from '../write-response.js';
import type { HttpExchange, RequestContextDeps } from '../request-context.js';
import type { Overload } from './overload-detector.js';

/**
 * Serves a request now or when its turn comes, or refuses it during an overload. `calls` is the number of
 * calls in flight, including this request.
 */
export type LoadShedder = (exchange: HttpExchange, calls: number, handler: RequestListener) => void;

/** The part of an operation that determines whether it is exempt from load shedding. */
interface Sheddable extends Pick<DescribedOperation, 'paths' | 'component'> {
  readonly row: Pick<OperationRow, 'method'>;
}

/** Value of `Retry-After`, in seconds. */
const RETRY_AFTER = '1';

/**
 * Creates the load shedder, which refuses requests before any work is done for them: 503 with `Retry-After`
 * (RFC 9110 section 10.2.3). Health, metrics, management and the console below `/ui` are always served
 * immediately; stream operations are not exempt. Refused requests are counted, but not logged one by one.
 */
export function createLoadShedder(
  deps: RequestContextDeps,
  overload: Pick<Overload, 'strain' | 'note' | 'isLate' | 'hold'>,
  operations: readonly Sheddable[],
): LoadShedder {
  const always = operations.filter(({ component, row }) => component === undefined && row.method !== 'ANY');
  const answering = new Set(['ui', ...always.flatMap(({ paths }) => paths.map(firstSegment))]);
  const refuse = createRefuse({ ...deps, log: silentLog });
  const refuseAloud = createRefuse(deps);
  const problem = new Problem('overloaded', 'The server has too much to do at this moment.', {
    headers: { 'retry-after': RETRY_AFTER },
  });
  return (exchange, calls, handler) => {
    const { req, res } = exchange;
    const strain = overload.strain(calls);
    const isAtEase = strain === undefined && !overload.isLate();
    if (isAtEase || answering.has(firstSegment(req.url ?? ''))) {
      handler(req, res);
    } else if (strain === undefined) {
      overload.hold(() => {
        // The socket has already emitted `close`; a handler that waits for the event would never finish.
        if (req.socket.destroyed) void refuseAloud(exchange, clientClosedRequest());
        else handler(req, res);
      });
    } else {
      overload.note(strain);
      // By the next turn, a short body that was sent with its head has arrived and needs no draining.
      setImmediate(() => void refuse(exchange, problem));
    }
  };
}

/** `health` of `/health/status?a=b`. */
function firstSegment(target: string): string {
  return /^\/([^/?]*)/.exec(target)?.[1] ?? '';
}
