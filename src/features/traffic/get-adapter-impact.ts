import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { parameterError, parameterOf, queryProblem } from '../../http/query-parameters.js';
import type { ConsoleDeps } from '../console/deps.js';
import { count, listOf, objectOf, text, timestamp } from '../lib/reply-schemas.js';
import type { TrafficReport } from './traffic-view.js';
import { addCallers, type CallerCounts, NO_CALLS } from './traffic.js';

const HOUR_MS = 3_600_000;
/** Maximum number of adapters of one query. */
const MAX_ADAPTERS = 200;
/** Maximum number of listed callers. */
const MAX_CALLERS = 10;

const callCounts = {
  calls: count,
  errors: { ...count, description: 'Calls that failed anyway, with a status of 500 or above' },
  clientErrors: { ...count, description: 'Calls that were rejected anyway, with a status of 400 to 499' },
} as const;

/** Returns which calls of the last hour would have failed if adapters had been stopped, suspended or blocked. */
export const getAdapterImpact: Operation<ConsoleDeps> = {
  id: 'getAdapterImpact',
  summary: 'Get the calls that would fail if adapters were stopped, suspended or blocked.',
  description:
    'Returns the calls of the last hour through these adapters, by caller: each would have failed with status 503 if the adapters had been stopped or blocked, and would have waited if they had been paused. Changes nothing.',
  method: 'GET',
  path: '/adapters/impact',
  topics: ['adapters'],
  roles: READERS,
  query: {
    type: 'object',
    required: ['adapters'],
    properties: {
      adapters: {
        type: 'string',
        minLength: 1,
        description: `Names of the adapters, separated by commas; at most ${MAX_ADAPTERS}`,
      },
    },
  },
  reply: {
    title: 'Impact on calls',
    ...objectOf({
      from: timestamp,
      to: timestamp,
      isComplete: {
        type: 'boolean',
        description: 'False if the store did not answer: only the latest calls',
      },
      ...callCounts,
      callers: {
        ...listOf({ caller: text, ...callCounts }),
        description: `Callers with the most calls first, at most ${MAX_CALLERS}`,
      },
      others: {
        ...objectOf(callCounts),
        description: 'Calls of all callers that are not listed',
      },
    }),
  },
  async handle({ query }, { monitoring }) {
    const names = parameterOf(query, 'adapters')?.split(',') ?? [];
    if (names.length === 0 || names.length > MAX_ADAPTERS)
      throw queryProblem([parameterError('adapters', `must have 1 to ${MAX_ADAPTERS} names`)]);
    const to = monitoring.now();
    const time = { from: to - HOUR_MS, to };
    const [only] = names.length === 1 ? names : [];
    const report = await monitoring.traffic(
      only === undefined
        ? { ...time, adapters: names, limit: MAX_ADAPTERS }
        : { ...time, adapter: only, limit: 0 },
    );
    const { isComplete } = report;
    return { body: { ...time, isComplete, ...impactOf(report, only === undefined ? 'adapters' : 'cells') } };
  },
};

/** Returns the sum of all calls, and its parts by caller. */
function impactOf(report: TrafficReport, counted: 'adapters' | 'cells') {
  const total = report[counted].reduce<CallerCounts>(addCallers, NO_CALLS);
  const byCaller = new Map<string, CallerCounts>();
  for (const flow of report.flows)
    if (flow.caller !== '')
      byCaller.set(flow.caller, addCallers(byCaller.get(flow.caller) ?? NO_CALLS, flow));
  const callers = [...byCaller]
    .map(([caller, counts]) => ({ caller, ...counts }))
    .sort((one, other) => other.calls - one.calls)
    .slice(0, MAX_CALLERS);
  const named = callers.reduce<CallerCounts>(addCallers, NO_CALLS);
  const rest = (name: keyof CallerCounts): number => Math.max(0, total[name] - named[name]);
  const others = { calls: rest('calls'), errors: rest('errors'), clientErrors: rest('clientErrors') };
  return { ...total, callers, others };
}
