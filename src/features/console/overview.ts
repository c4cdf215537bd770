import { ISSUE_CODES } from '../../core/issue.js';
import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { callRates, connectionState, ratesSchema } from '../lib/observed-schemas.js';
import {
  count,
  countOrNull,
  listOf,
  names,
  nullableOf,
  objectOf,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../lib/reply-schemas.js';
import type { ConsoleDeps } from './deps.js';

const breakerState = { enum: ['closed', 'open', 'half-open', null] } as const;

const pendingMembers = { by: textOrNull, at: timestamp, reason: textOrNull, until: timestamp } as const;
const requestMembers = { ...pendingMembers, until: timestampOrNull } as const;
const pendingChangeSchema = nullableOf(objectOf(pendingMembers));

const serverSchema = objectOf({
  version: text,
  release: text,
  since: timestamp,
  now: timestamp,
  activeProfile: textOrNull,
  pendingProfiles: {
    ...listOf({ profile: text, ...pendingMembers }),
    description: 'Profiles whose change or activation is undone at `until` unless it is confirmed',
  },
  revision: { ...count, description: 'Revision of the state that the API changes' },
  generation: { ...count, description: 'Number of configuration loads in this process' },
  ready: { type: 'boolean', description: 'Result of /readyz' },
  configurationUpToDate: { type: 'boolean', description: 'False if the configuration on disk was refused' },
  traffic: ratesSchema,
});

const originSchema = {
  description: 'Source of the configuration of the adapter',
  oneOf: [
    objectOf({ kind: { const: 'file' }, file: text }),
    objectOf({ kind: { const: 'record' }, revision: count }),
  ],
} as const;

const adaptersSchema = listOf({
  name: text,
  type: { ...text, description: 'Name of the plugin' },
  model: { ...text, description: 'Model of the adapter, as clients name it' },
  state: { enum: ['STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'DEAD'] },
  suspended: {
    enum: ['paused', 'refusing', null],
    description: 'Handling of calls during a suspension; null if not suspended',
  },
  request: {
    ...nullableOf(objectOf(requestMembers)),
    description: 'Who requested that the adapter is stopped or suspended; null if nobody did',
  },
  scheduled: {
    ...nullableOf(objectOf({ wanted: { enum: ['paused', 'refusing'] }, from: timestamp, ...requestMembers })),
    description: 'The suspension that begins at `from`; null if none is scheduled',
  },
  pending: {
    ...pendingChangeSchema,
    description: 'Change of the adapter that is undone at `until` unless it is confirmed',
  },
  connection: connectionState,
  connectionSince: timestampOrNull,
  lastTriedAt: {
    ...timestampOrNull,
    description: 'Time of the latest call or probe that had a result, in milliseconds since 1970',
  },
  lastTriedBy: { enum: ['call', 'probe', null], description: 'Origin of the result at lastTriedAt' },
  lastOkAt: {
    ...timestampOrNull,
    description: 'Time of the latest call or probe that reached the orchestrator, in milliseconds since 1970',
  },
  since: {
    ...timestampOrNull,
    description: 'Start time, in milliseconds since 1970; null if the adapter is not running',
  },
  cause: { ...textOrNull, description: 'Reason why the adapter is not fully working; null if it is' },
  causes: {
    ...listOf({
      kind: {
        enum: [
          ...['starting', 'stopped', 'disabled', 'left-out', 'failed', 'offline', 'login-refused'],
          ...['breaker-open', 'outdated', 'paused', 'refusing'],
        ],
      },
      detail: { ...textOrNull, description: 'What failed; null if the kind says all' },
    }),
    description: 'The reasons in `cause`, by kind',
  },
  origin: originSchema,
  baseUrls: listOf({ origin: { ...text, description: 'Scheme, host and port' }, breaker: breakerState }),
  breaker: { ...breakerState, description: 'Worst breaker state of the base URLs' },
  breakerUntil: {
    ...timestampOrNull,
    description:
      'Time when an open circuit breaker admits a call, in milliseconds since 1970; null if none is open',
  },
  connectionReuse: {
    enum: ['on', 'off', 'stopped', null],
    description:
      'Whether connections serve further requests: `off` by the setting, `stopped` because the orchestrator dropped several in a row; null if the adapter takes no calls',
  },
  inFlight: count,
  waiting: count,
  tags: { ...names, description: 'Tags of the adapter' },
  traffic: ratesSchema,
});

const problemsSchema = listOf({
  id: { ...text, description: 'Identifies the problem on all nodes and after a restart' },
  severity: { enum: ['danger', 'warning'] },
  code: {
    enum: ISSUE_CODES,
    description: 'Kind of the problem',
  },
  title: text,
  cause: text,
  since: timestamp,
  about: objectOf({ kind: { enum: ['adapter', 'secret', 'configuration', 'service'] }, name: text }),
  adapters: { ...names, description: 'Adapters that fail by this cause' },
  failedCallsPerMinute: { type: 'number', minimum: 0, description: 'Failed calls through these adapters' },
  failure: {
    ...nullableOf(
      objectOf({
        status: { ...countOrNull, description: 'Status of 400 or above that the orchestrator answered' },
        code: { ...text, description: 'Code of the problem' },
        host: { ...text, description: 'Host and port of the orchestrator; empty if it was not reached' },
        reason: { ...text, description: 'Words of the orchestrator; may be empty' },
      }),
    ),
    description: 'What most failed or rejected calls have in common; null if it is not known',
  },
  hitCallers: {
    ...names,
    description:
      'Callers whose calls failed in the latest five minutes: those with the most first, at most five',
  },
  hitCallersLeft: { ...count, description: 'Number of such callers that are not listed' },
  cachedSecrets: { ...count, description: 'Number of references that run on cached values' },
  lostSecrets: { ...count, description: 'Number of references that have expired or are too old' },
  until: {
    ...timestampOrNull,
    description: 'Time until which cached values may be used, in milliseconds since 1970',
  },
});

export const getOverview: Operation<ConsoleDeps> = {
  id: 'getOverview',
  summary: 'Get the state of the server and its adapters, the callers and the current problems.',
  description:
    'Returns what the start page of the console shows: the server, the adapters, the busiest callers and the worst problems. With `adapter`, `adapters` and `problems` are those of one adapter; `adapters` is empty if there is no such adapter. With an empty `adapter`, `problems` are those of the server itself.',
  method: 'GET',
  path: '/overview',
  topics: ['adapters', 'profiles', 'secrets'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      adapter: {
        type: 'string',
        description: 'Name of the only adapter to include; absent: all adapters; empty: none',
      },
    },
  },
  reply: {
    title: 'Overview',
    ...objectOf({
      server: serverSchema,
      adapters: adaptersSchema,
      callers: {
        ...listOf({ name: text, ...callRates }),
        description: 'Busiest caller first; the last entry, without a name, sums up all other callers',
      },
      problems: {
        ...problemsSchema,
        description: 'Worst problem first, one for all adapters that fail by the same cause; at most 100',
      },
      problemsLeft: { ...count, description: 'Number of problems that are not listed' },
    }),
  },
  async handle({ query }, { monitoring }) {
    return { body: await monitoring.overview(query.get('adapter') ?? undefined) };
  },
};

/**
 * Streams changes and traffic as server-sent events (HTML standard, section 9.2), until the caller leaves
 * or loses the right to them.
 */
export const getEvents: Operation<ConsoleDeps> = {
  id: 'getEvents',
  summary: 'Stream changes and traffic as server-sent events.',
  description:
    'Sends an event for each change, and the traffic every two seconds, until the token expires. Each process has a limited number of listeners.',
  problems: ['too_many_listeners'],
  method: 'GET',
  path: '/events',
  roles: READERS,
  reply: {
    title: 'Events',
    type: 'string',
    description:
      'Event `change`: {"topics": [...]}, from adapters, profiles, forms, tasks, secrets and deprecations. ' +
      'Event `traffic`, every two seconds: rates of the last five minutes, and in `adapters` for each adapter',
  },
  replyType: 'text/event-stream',
  replyHeaders: { 'x-accel-buffering': '`no`: proxies must forward each event immediately' },
  handle: ({ signal }, { monitoring }) => ({
    body: { livePieces: monitoring.listen(signal) },
    headers: { 'x-accel-buffering': 'no' },
  }),
};
