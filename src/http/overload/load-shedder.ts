import type { RequestListener } from 'node:http';
import { silentLog } from '../../core/log.js';
import type { DescribedOperation, OperationRow } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { clientClosedRequest } from '../failure.js';
import { createRefuse } from '../write-response.js';
import type { HttpExchange, RequestContextDeps } from '../request-context.js';
import type { Overload } from './overload-detector.js';

/** Has a request served, now or in its turn, or turns it away when there is too much to do. `calls` are in flight with it. */
export type LoadShedder = (exchange: HttpExchange, calls: number, handler: RequestListener) => void;

/** What of an operation says whether it always answers. */
interface Sheddable extends Pick<DescribedOperation, 'paths' | 'component'> {
  readonly row: Pick<OperationRow, 'method'>;
}

/** Seconds after which a caller may come back. */
const RETRY_AFTER = '1';

/**
 * Makes the way to turn requests away before anything is done for them: 503 with `Retry-After` (RFC 9110 section 10.2.3).
 * Applications that always answer do so here as well, and at once: health, metrics and management, and not what is passed on
 * as a stream. Requests that are turned away are counted, and have no line in the log each.
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
        // Whoever waited for word that the caller leaves would wait for ever.
        if (req.socket.destroyed) void refuseAloud(exchange, clientClosedRequest());
        else handler(req, res);
      });
    } else {
      overload.note(strain);
      // A short body has come with its head by then, and need not be waited for.
      setImmediate(() => void refuse(exchange, problem));
    }
  };
}

/** `health` of `/health/status?a=b`. */
function firstSegment(target: string): string {
  return /^\/([^/?]*)/.exec(target)?.[1] ?? '';
}
