import { silentLog } from '../../domain/log.js';
import type { DescribedOperation } from '../../domain/operation.js';
import { Problem } from '../../domain/problem.js';
import { createRefuse } from '../send.js';
import type { Exchange, VisitDeps } from '../visit.js';
import type { Overload } from './watch-overload.js';

/** Turns a request away when there is too much to do; false leaves it to the doors. `calls` are in flight with it. */
export type Shed = (exchange: Exchange, calls: number) => boolean;

/** Seconds after which a caller may come back. */
const RETRY_AFTER = '1';

/**
 * Makes the way to turn requests away before anything is done for them: 503 with `Retry-After` (RFC 9110 section 10.2.3).
 * Applications that always answer do so here as well: health, metrics and management. Requests that are turned away are
 * counted, and have no line in the log each.
 */
export function createShed(
  deps: VisitDeps,
  overload: Pick<Overload, 'strain' | 'note'>,
  operations: readonly Pick<DescribedOperation, 'paths' | 'component'>[],
): Shed {
  const always = operations.filter(({ component }) => component === undefined);
  const answering = new Set(['ui', ...always.flatMap(({ paths }) => paths.map(firstSegment))]);
  const refuse = createRefuse({ ...deps, log: silentLog });
  const problem = new Problem('overloaded', 'The server has too much to do at this moment.', {
    headers: { 'retry-after': RETRY_AFTER },
  });
  return (exchange, calls) => {
    const strain = overload.strain(calls);
    if (strain === undefined || answering.has(firstSegment(exchange.req.url ?? ''))) return false;
    overload.note(strain);
    // A short body has come with its head by then, and need not be waited for.
    process.nextTick(() => void refuse(exchange, problem));
    return true;
  };
}

/** `health` of `/health/status?a=b`. */
function firstSegment(target: string): string {
  return /^\/([^/?]*)/.exec(target)?.[1] ?? '';
}
