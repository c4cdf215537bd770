import type { Operation } from '../../core/operation.js';
import type { ConsoleDeps } from './deps.js';
import {
  callRates,
  count,
  listOf,
  moment,
  momentOrNull,
  objectOf,
  ratesSchema,
  text,
  textOrNull,
} from './schema-parts.js';

const breaker = { enum: ['closed', 'open', 'half-open', null] } as const;

const serverSchema = objectOf({
  version: text,
  release: text,
  since: moment,
  now: moment,
  activeProfile: textOrNull,
  revision: { ...count, description: 'Counts what was asked for through the API' },
  generation: { ...count, description: 'Counts the loads of this process' },
  ready: { type: 'boolean', description: 'As /readyz tells it' },
  configurationUpToDate: { type: 'boolean', description: 'False: what is on disk was refused' },
  traffic: ratesSchema,
});

const originSchema = {
  description: 'Where it is configured',
  oneOf: [
    objectOf({ kind: { const: 'file' }, file: text }),
    objectOf({ kind: { const: 'record' }, revision: count }),
  ],
} as const;

const adaptersSchema = listOf({
  name: text,
  type: { ...text, description: 'The plugin' },
  model: { ...text, description: 'As clients name what it is made of' },
  state: { enum: ['STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'DEAD'] },
  suspended: { enum: ['paused', 'refusing', null], description: 'What happens to its calls meanwhile' },
  connection: { enum: ['ONLINE', 'OFFLINE', 'UNKNOWN'] },
  connectionSince: momentOrNull,
  since: { ...momentOrNull, description: 'Since when it runs, in milliseconds since 1970' },
  cause: { ...textOrNull, description: 'Why it does not do all that it should' },
  origin: originSchema,
  baseUrls: listOf({ origin: { ...text, description: 'Scheme, host and port alone' }, breaker }),
  breaker: { ...breaker, description: 'The worst of its base URLs' },
  inFlight: count,
  waiting: count,
  traffic: ratesSchema,
});

const problemsSchema = listOf({
  severity: { enum: ['danger', 'warning'] },
  title: text,
  cause: text,
  since: moment,
  about: objectOf({ kind: { enum: ['adapter', 'secret', 'configuration', 'service'] }, name: text }),
});

/** Returns all data of the first page of the console. */
export const getOverview: Operation<ConsoleDeps> = {
  id: 'getOverview',
  summary: 'Get the state of the server and its adapters, the callers and the current problems.',
  method: 'GET',
  path: '/overview',
  roles: ['admin'],
  reply: {
    title: 'Overview',
    ...objectOf({
      server: serverSchema,
      adapters: adaptersSchema,
      callers: {
        ...listOf({ name: text, ...callRates }),
        description: 'The busiest first; all others together are the last, without a name',
      },
      problems: { ...problemsSchema, description: 'The worst first, five at most' },
      problemsLeft: { ...count, description: 'How many more there are' },
    }),
  },
  async handle(_call, { monitoring }) {
    return { body: await monitoring.overview() };
  },
};
