import { LOG_LEVELS, type LogLevel } from '../../core/log.js';
import type { Application, Operation } from '../../core/operation.js';
import { READERS, type Principal, type RoleHolder } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { choiceParameterOf, numberParameterOf, parameterOf } from '../../http/query-parameters.js';
import { connectionState, adapterParameter, numberParameterSchema } from '../lib/observed-schemas.js';
import { count, listOf, names, objectOf, text, textOrNull, timestamp } from '../lib/reply-schemas.js';
import { getLimits } from '../limits/operations.js';
import { getSecrets, testSecret } from '../secrets-page/get-secrets.js';
import { getVaultPaths } from '../secrets-page/get-vault-paths.js';
import { getAdapterImpact } from '../traffic/get-adapter-impact.js';
import { getRequest } from '../traffic/get-requests.js';
import { getCalls, getTraffic } from '../traffic/get-traffic.js';
import type { ConsoleDeps } from './deps.js';
import type { AdapterTest } from './monitoring.js';
import { getEvents, getOverview } from './overview.js';

const LINES_LIMIT = { name: 'limit', preset: 200, min: 1, max: 2_000 } as const;
const AFTER = { name: 'after', preset: 0, min: 0, max: Number.MAX_SAFE_INTEGER } as const;
const DEFAULT_LEVEL = 'spam';

const levelSchema = { enum: LOG_LEVELS } as const;

/**
 * Lists the latest log lines. The server keeps at most 1,000 errors and warnings, and at most 1,000 other
 * lines; of each adapter at most 1,000 lines, and of all adapters together at most 40,000.
 */
export const getLogLines: Operation<ConsoleDeps> = {
  id: 'getLogLines',
  summary: 'List the latest lines of the log.',
  description:
    'Returns the latest log lines that this process keeps in memory, oldest first. Secrets are removed from them.',
  method: 'GET',
  path: '/log',
  topics: ['adapters'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      adapter: adapterParameter,
      level: {
        ...levelSchema,
        default: DEFAULT_LEVEL,
        description: 'Lines of this level and of more important levels',
      },
      limit: numberParameterSchema(LINES_LIMIT),
      after: {
        ...numberParameterSchema(AFTER),
        description: 'Value of `next` of the previous response; only later lines are returned',
      },
    },
  },
  reply: {
    title: 'Lines of the log',
    ...objectOf({
      lines: {
        ...listOf({
          id: count,
          at: timestamp,
          level: levelSchema,
          message: text,
          fields: { type: 'object' },
        }),
        description: 'Oldest first',
      },
      next: { ...count, description: 'Value of `after` for the next call' },
      missed: {
        type: 'boolean',
        description: 'True if later lines than `after` are missing from this response',
      },
      writtenLevel: { ...levelSchema, description: 'Least important level that is written' },
      hint: {
        ...textOrNull,
        description: 'Reason why lines of the requested level are missing; null if none are missing',
      },
    }),
  },
  async handle({ query, principal }, { monitoring }) {
    const adapter = parameterOf(query, 'adapter');
    const chosen = choiceParameterOf(query, 'level', LOG_LEVELS);
    const found = await monitoring.lines({
      ...(adapter !== undefined && { adapter }),
      level: shownLevel(chosen ?? DEFAULT_LEVEL, principal),
      after: numberParameterOf(query, AFTER),
      most: numberParameterOf(query, LINES_LIMIT),
    });
    const writtenLevel = monitoring.writtenLevel(adapter);
    return {
      body: {
        lines: found.lines.map(({ time, ...line }) => ({ ...line, at: Date.parse(time) })),
        next: found.latest,
        missed: found.missed,
        writtenLevel,
        hint: maySeeBodies(principal) ? hintOf(chosen, writtenLevel) : viewerHintOf(chosen),
      },
    };
  },
};

/** Returns a hint if the caller chose a level that is less important than the level that is written. */
function hintOf(chosen: LogLevel | undefined, written: LogLevel): string | null {
  if (!chosen || LOG_LEVELS.indexOf(chosen) <= LOG_LEVELS.indexOf(written)) return null;
  return `Lines of the level ${chosen} are not written: the level in use is ${written}. Change the level to write them.`;
}

/** Least important level whose lines have no bodies and headers of calls. */
const BODILESS_LEVEL: LogLevel = 'info';

function shownLevel(chosen: LogLevel, principal: Principal | undefined): LogLevel {
  return maySeeBodies(principal) || !isBelowInfo(chosen) ? chosen : BODILESS_LEVEL;
}

/** Returns why a viewer does not get the lines of the chosen level. */
function viewerHintOf(chosen: LogLevel | undefined): string | null {
  return chosen && isBelowInfo(chosen)
    ? `Lines of the level ${chosen} can contain bodies of calls, which need the role admin. The response has the lines from ${BODILESS_LEVEL} up.`
    : null;
}

function isBelowInfo(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(BODILESS_LEVEL);
}

const testAdapter: Operation<ConsoleDeps> = {
  id: 'testAdapter',
  summary: 'Test now whether the orchestrator of an adapter is reachable.',
  description:
    'Probes the orchestrator as the periodic probe does: requests the health path, or opens a connection if the adapter has no health path. ' +
    'The result updates the connection of the adapter. An adapter is tested at most once every two seconds.',
  problems: ['adapter_not_found', 'adapter_unavailable', 'too_many_requests'],
  method: 'POST',
  path: '/adapters/:name/test',
  roles: ['admin'],
  reply: {
    title: 'Result of the connection test',
    ...objectOf({
      ok: { type: 'boolean', description: 'True if the orchestrator is reachable and has refused no login' },
      connection: connectionState,
      cause: { ...textOrNull, description: 'Why the orchestrator cannot be used; null if it can' },
      fix: { ...textOrNull, description: 'What to do next; null if unknown' },
    }),
  },
  audited: true,
  async handle({ params: { name = '' } }, { monitoring }) {
    const result = await monitoring.testAdapter(name);
    if ('untried' in result) throw refusalOf(name, result);
    const { ok, connection } = result;
    if (ok) return { body: { ok, connection, cause: null, fix: null }, outcome: 'ok' };
    const { cause, fix } = result;
    const outcome = connection === 'LOGIN_REFUSED' ? 'login refused' : 'not reachable';
    return { body: { ok, connection, cause, fix }, outcome };
  },
};

function refusalOf(name: string, result: Extract<AdapterTest, { untried: string }>): Problem {
  if (result.untried === 'too soon') {
    const seconds = Math.ceil(result.waitMs / 1000);
    return new Problem(
      'too_many_requests',
      `the adapter "${name}" was tested a moment ago; try again in ${seconds} s`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
  if (result.untried === 'unknown') return new Problem('adapter_not_found', `there is no adapter "${name}"`);
  return new Problem(
    'adapter_unavailable',
    result.untried === 'no probe'
      ? `the adapter "${name}" has nothing to test: its checks are off, or its plugin reports no connection`
      : `the adapter "${name}" is not running`,
  );
}

const levelChangeSchema = {
  ...objectOf({ from: text, to: text }),
  type: ['object', 'null'],
  description: 'Change of the log level; null if the level does not change',
} as const;

const getProfileImpact: Operation<ConsoleDeps> = {
  id: 'getProfileImpact',
  summary: 'Get what would start, stop and change if a profile were activated.',
  description:
    'Returns which adapters would start, stop and restart, and which settings would change, if a profile were activated now. Changes nothing.',
  problems: ['profile_not_found'],
  method: 'GET',
  path: '/profiles/:id/impact',
  topics: ['adapters', 'profiles'],
  roles: READERS,
  reply: {
    title: 'Impact of a profile',
    ...objectOf({
      profile: { ...text, description: 'Id of the profile' },
      starts: names,
      stops: names,
      restarts: names,
      unchanged: { ...count, description: 'Number of adapters that would not change' },
      settings: { ...names, description: 'Sections of the settings that would change' },
      level: levelChangeSchema,
      faults: {
        ...listOf({ pointer: text, code: text, message: text, fix: text }),
        description: 'Faults that would prevent the activation; with a fault, no other effect would occur',
      },
    }),
  },
  async handle({ params: { id = '' } }, { monitoring }) {
    const impact = await monitoring.impact(id);
    if (!impact) throw new Problem('profile_not_found', 'Profile not found.');
    const faults = impact.faults.map(({ pointer, code, message, fix }) => ({ pointer, code, message, fix }));
    return { body: { profile: id, ...impact, level: impact.level ?? null, faults } };
  },
};

export const consoleApp: Application<ConsoleDeps> = {
  name: 'console',
  summary: 'Data of the running server for the pages of the console.',
  prefixes: ['/console'],
  operations: [
    getOverview,
    getTraffic,
    getCalls,
    getRequest,
    getLogLines,
    getLimits,
    getSecrets,
    testSecret,
    getVaultPaths,
    testAdapter,
    getAdapterImpact,
    getProfileImpact,
    getEvents,
  ],
};

/** Returns true if the caller may read what other callers sent: a viewer without another role of the operation may not. */
function maySeeBodies(principal: RoleHolder | undefined): boolean {
  return (
    principal !== undefined && (principal.roles.includes('admin') || !principal.roles.includes('viewer'))
  );
}
