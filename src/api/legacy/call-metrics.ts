import { stageAt } from '../../core/deprecation.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { CallCounter } from './call-counter.js';
import { DEPRECATIONS } from './deprecations.js';
import { nameOf } from './deprecated-operation.js';

/** How often each deprecated operation was called: one sample each, 0 included, so that it can be alerted on. */
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
