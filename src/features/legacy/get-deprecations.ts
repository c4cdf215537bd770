import { type Deprecation, partsOf, stageAt } from '../../core/deprecation.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import type { CallCounter } from './call-counter.js';
import { CALLER_DAYS, MAX_STORED_CALLERS } from './deprecated-calls.js';
import { operationNameOf, releaseDayOf } from './deprecated-operation.js';
import { DEPRECATIONS } from './deprecations.js';
import type { DeprecationsDeps } from './deps.js';

const textSchema = { type: 'string' } as const;
const countSchema = {
  type: 'integer',
  minimum: 0,
  description: `Over restarts and of all nodes, by the callers of the last ${CALLER_DAYS} days`,
} as const;
const timeSchema = { type: ['string', 'null'], format: 'date-time' } as const;
const routeProperties = { method: { enum: ['GET', 'POST', 'PUT', 'DELETE'] }, path: textSchema } as const;
const releaseDaySchema = {
  type: 'string',
  format: 'date',
  description: 'Nominal day: the platform publishes no release days',
} as const;

const rowSchema = {
  type: 'object',
  required: [
    ...['operation', 'method', 'path', 'stage', 'deprecatedIn', 'deprecatedOn', 'removedIn', 'removedOn'],
    ...['replacements', 'calls', 'lastCall', 'callers'],
  ],
  properties: {
    operation: { ...textSchema, description: 'Name in the configuration' },
    ...routeProperties,
    stage: {
      enum: ['current', 'deprecated', 'removed'],
      description: 'Stage at the release that this server implements',
    },
    deprecatedIn: textSchema,
    deprecatedOn: releaseDaySchema,
    removedIn: textSchema,
    removedOn: releaseDaySchema,
    replacements: {
      type: 'array',
      items: { type: 'object', required: ['method', 'path'], properties: routeProperties },
    },
    calls: countSchema,
    lastCall: timeSchema,
    callers: {
      type: 'array',
      description: `Callers of the operation in the last ${CALLER_DAYS} days, most calls first; at most ${MAX_STORED_CALLERS} of all operations`,
      items: {
        type: 'object',
        required: ['caller', 'issuer', 'calls', 'lastCall'],
        properties: {
          caller: {
            ...textSchema,
            description: 'Subject of the token; the address if the operation needs no token',
          },
          issuer: textSchema,
          calls: countSchema,
          lastCall: timeSchema,
        },
      },
    },
  },
} as const;

export const getDeprecations: Operation<DeprecationsDeps> = {
  id: 'getDeprecations',
  summary: 'List the deprecated operations, their replacements and their remaining callers.',
  description:
    'Returns each deprecated operation with its stage at the release of this server, its replacements and the callers that still use it.',
  method: 'GET',
  path: '/deprecations',
  topics: ['deprecations'],
  roles: READERS,
  reply: {
    title: 'Deprecated operations',
    type: 'object',
    required: ['release', 'results', 'total'],
    properties: {
      release: { ...textSchema, description: 'The release that this server implements' },
      results: { type: 'array', items: rowSchema },
      total: { type: 'integer', minimum: 0 },
    },
  },
  async handle(_call, { release, deprecatedCallers }) {
    const allCallers = await deprecatedCallers();
    const results = DEPRECATIONS.map((row) => {
      const operation = operationNameOf(row);
      const callers = allCallers.filter((caller) => caller.operation === operation);
      const lastCall = Math.max(...callers.map((caller) => caller.lastCall));
      return {
        operation,
        ...partsOf(row.route),
        ...stagesOf(row, release),
        replacements: row.replacements.map(partsOf),
        calls: callers.reduce((sum, { calls }) => sum + calls, 0),
        lastCall: callers.length === 0 ? null : timestampOf(lastCall),
        callers: callers.map(({ caller, issuer, calls, lastCall: at }) => ({
          caller,
          issuer,
          calls,
          lastCall: timestampOf(at),
        })),
      };
    });
    return { body: { release, results, total: results.length } };
  },
};

function stagesOf(row: Deprecation, release: string): object {
  const { deprecatedIn, removedIn } = row;
  return {
    stage: stageAt(release, row),
    deprecatedIn,
    deprecatedOn: releaseDayOf(deprecatedIn).toISOString().slice(0, 10),
    removedIn,
    removedOn: releaseDayOf(removedIn).toISOString().slice(0, 10),
  };
}

function timestampOf(at: number): string {
  return new Date(at).toISOString();
}

/**
 * Returns the metric with the number of calls of each deprecated operation. It includes operations without
 * calls, so that alerts can rely on each sample.
 */
export function deprecatedCallsMetric(calls: CallCounter, release: string): Scalar {
  return counter(
    'gatehouse_deprecated_calls_total',
    'Calls of operations that are deprecated or removed at the release of this server, by stage: deprecated, removed.',
    DEPRECATIONS.flatMap((row) => {
      const stage = stageAt(release, row);
      const operation = operationNameOf(row);
      if (stage === 'current') return [];
      return [{ labels: { operation, stage }, value: calls.callsOf(operation) }];
    }),
  );
}
