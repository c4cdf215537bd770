import type { Operation } from '../../core/operation.js';
import { CELL_SECONDS } from '../../core/traffic.js';
import type { ConsoleDeps } from './deps.js';
import { numberParameter, readNumber } from './read-number.js';
import {
  adapterParameter,
  count,
  listOf,
  moment,
  objectOf,
  text,
  textOrNull,
  times,
} from './schema-parts.js';

const HOURS = { name: 'hours', preset: 24, least: 1, most: 24 } as const;

const marksSchema = listOf({
  at: moment,
  adapter: { ...textOrNull, description: 'Null: the server itself' },
  kind: {
    enum: [
      ...['started', 'restarted', 'stopped', 'broken', 'configured', 'removed'],
      ...['offline', 'online', 'breaker-open', 'breaker-closed'],
    ],
  },
  text,
});

/** Returns the traffic of the last hours in intervals of five minutes, at most since this process started. */
export const getTraffic: Operation<ConsoleDeps> = {
  id: 'getTraffic',
  summary: 'Get the number of calls through the adapters in intervals of five minutes.',
  method: 'GET',
  path: '/traffic',
  roles: ['admin'],
  query: { type: 'object', properties: { adapter: adapterParameter, hours: numberParameter(HOURS) } },
  reply: {
    title: 'Traffic',
    ...objectOf({
      cellSeconds: { const: CELL_SECONDS },
      from: moment,
      to: moment,
      adapters: listOf({
        name: text,
        cells: {
          ...listOf({ at: moment, calls: count, errors: count, ...times }),
          description: 'Oldest first; those without a call are left out',
        },
      }),
      marks: { ...marksSchema, description: 'What became of the adapters meanwhile, oldest first' },
    }),
  },
  handle({ query }, { monitoring }) {
    const { from, to, adapters, marks } = monitoring.traffic(readNumber(query, HOURS));
    const wanted = query.get('adapter');
    const isWanted = (name: string | null): boolean => wanted === null || name === null || name === wanted;
    return {
      body: {
        cellSeconds: CELL_SECONDS,
        from,
        to,
        adapters: [...adapters].filter(([name]) => isWanted(name)).map(([name, cells]) => ({ name, cells })),
        marks: marks.filter(({ adapter }) => isWanted(adapter)),
      },
    };
  },
};
