import { Problem } from '../../core/problem.js';
import {
  about,
  ADMIN,
  askEither,
  bodyWith,
  doneReply,
  listOf,
  memberOf,
  objectWith,
  orElse,
  type LegacyPair,
  resultsOf,
  type LegacyHandler,
} from './legacy-operation.js';

const LISTS = ['health.getAdaptersHealth', 'health.getApplicationsHealth'] as const;
const HEALTH: LegacyPair = ['health.getAdapterHealth', 'health.getApplicationHealth'];
const LOAD: LegacyPair = ['adapters.startAdapter', 'applications.startApplication'];
const LOGGING: LegacyPair = ['adapters.updateAdapterLogging', 'applications.updateApplicationLogging'];
const CHANGES: LegacyPair = ['adapters.getAdapterChangelogs', 'applications.getApplicationChangelogs'];

const moduleReply = { title: 'Health of a module', ...objectWith('id', 'type', 'state') };

/** Returns the health of all adapters and applications. */
export const getModulesHealth: LegacyHandler = {
  id: 'getModulesHealth',
  summary: 'List the health of the adapters and the applications.',
  roles: ADMIN,
  through: LISTS,
  reply: listOf('Health of modules', moduleReply),
  async serve(call, { ask }) {
    const lists = await Promise.all(LISTS.map((operation) => resultsOf<object>(ask, operation, call)));
    return { body: lists.flat() };
  },
};

/** Returns the health of an adapter or an application. */
export const getModuleHealth: LegacyHandler = {
  id: 'getModuleHealth',
  summary: 'Get the health of an adapter or an application.',
  roles: ADMIN,
  through: HEALTH,
  reply: moduleReply,
  serve: (call, { ask }) => askEither(ask, HEALTH, about(call, call.params['module'])),
};

/**
 * Creates the handler that stops, starts or restarts: still a GET, but audited like the PUT that replaces it.
 */
function lifecycle(verb: 'stop' | 'start' | 'restart', summary: string): LegacyHandler {
  const pair: LegacyPair = [`adapters.${verb}Adapter`, `applications.${verb}Application`];
  return {
    id: `${verb}Module`,
    summary,
    roles: ADMIN,
    through: pair,
    reply: doneReply,
    changes: true,
    audited: true,
    serve: (call, { ask }) => askEither(ask, pair, about(call, call.params['module'])),
  };
}

export const stopModule = lifecycle('stop', 'Stop an adapter or an application.');
export const startModule = lifecycle('start', 'Start an adapter or an application.');
export const restartModule = lifecycle('restart', 'Restart an adapter or an application.');

interface ModuleBody {
  readonly module: string;
}

/** Starts an existing adapter or application. */
export const loadModule: LegacyHandler<ModuleBody> = {
  id: 'loadModule',
  summary: 'Start an existing adapter or application.',
  roles: ADMIN,
  through: [...LOAD, 'schema.getAdapterSchema'],
  body: bodyWith('Module to load', { module: 'Name of an adapter or an application' }),
  reply: doneReply,
  audited: true,
  target: ({ body }) => body.module,
  serve: (call, { ask }) => {
    const named = about(call, call.body.module);
    return orElse(
      'adapter_not_found',
      () => askEither(ask, LOAD, named),
      async () => {
        // Throws `adapter_not_found` if the name is not a plugin either.
        await ask('schema.getAdapterSchema', named);
        const { module } = call.body;
        throw new Problem(
          'adapter_not_found',
          `there is a plugin "${module}", and no adapter of this name: register one with POST /adapters`,
        );
      },
    );
  },
};

interface LoggingBody extends ModuleBody {
  readonly transport?: string;
  readonly level: string;
}

/** Changes the log level of an adapter or an application. */
export const setModuleLogging: LegacyHandler<LoggingBody> = {
  id: 'setModuleLogging',
  summary: 'Update the log level of an adapter or an application.',
  roles: ADMIN,
  through: LOGGING,
  body: bodyWith(
    'Logging of a module',
    { module: 'Name of an adapter or an application', level: 'For example debug' },
    { transport: { type: 'string', description: 'console, file or syslog; absent: all' } },
  ),
  reply: doneReply,
  audited: true,
  target: ({ body }) => body.module,
  serve(call, { ask }) {
    const { module, transport, level } = call.body;
    const properties = { level, ...(transport !== undefined && { transport }) };
    return askEither(ask, LOGGING, { ...about(call, module), body: { properties } });
  },
};

/** Returns the changes by release. */
export const getChangeLog: LegacyHandler<ModuleBody & { readonly release?: string }> = {
  id: 'getChangeLog',
  summary: 'Get the changes of an adapter or an application by release.',
  roles: ADMIN,
  through: CHANGES,
  body: bodyWith(
    'Whose changes',
    { module: 'Name of an adapter or an application' },
    { release: { type: 'string', description: 'Absent: all' } },
  ),
  reply: listOf('Changes by release'),
  async serve(call, { ask }) {
    const { module, release } = call.body;
    const query = new URLSearchParams(release === undefined ? {} : { release });
    return memberOf(await askEither(ask, CHANGES, { ...about(call, module), query }), 'results');
  },
};
