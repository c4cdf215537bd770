import { stageAt } from '../../core/deprecation.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { CallCounter } from './call-counter.js';
import { DEPRECATIONS } from './deprecations.js';
import { nameOf } from './deprecated-operation.js';

/**
 * Returns the number of calls of each deprecated operation, including 0, so that alerts can use every sample.
 */
export function callMetrics(calls: CallCounter, release: string): Scalar {
  return counter(
    'gatehouse_deprecated_calls_total',
    'Calls of operations that are deprecated or removed at the release of this server.',
    DEPRECATIONS.flatMap((row) => {
      const stage = stageAt(release, row);
      const operation = nameOf(row);
      if (stage === 'current') return [];
      return [{ labels: { operation, stage }, value: calls.countOf(operation)?.calls ?? 0 }];
    }),
  );
}
