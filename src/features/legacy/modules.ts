import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import {
  callWithName,
  ADMIN_ROLES,
  dispatchToEither,
  bodySchemaWith,
  doneReplySchema,
  listSchemaOf,
  replyWithMember,
  objectSchemaWith,
  recoverFrom,
  type OperationPair,
  allResultsOf,
  type LegacyHandler,
} from './legacy-operation.js';

const HEALTH_LISTS = ['health.getAdaptersHealth', 'health.getApplicationsHealth'] as const;
const HEALTH_OPERATIONS: OperationPair = ['health.getAdapterHealth', 'health.getApplicationHealth'];
const START_OPERATIONS: OperationPair = ['adapters.startAdapter', 'applications.startApplication'];
const LOG_LEVEL_OPERATIONS: OperationPair = [
  'adapters.updateAdapterLogging',
  'applications.updateApplicationLogging',
];
const CHANGELOG_OPERATIONS: OperationPair = [
  'adapters.getAdapterChangelogs',
  'applications.getApplicationChangelogs',
];

const moduleHealthSchema = { title: 'Health of a module', ...objectSchemaWith('id', 'type', 'state') };

/** Returns the health of all adapters and applications. */
export const getModulesHealth: LegacyHandler = {
  id: 'getModulesHealth',
  summary: 'List the health of the adapters and the applications.',
  description: 'Returns the states and the resource usage of all adapters and applications. Changes nothing.',
  roles: READERS,
  through: HEALTH_LISTS,
  reply: listSchemaOf('Health of modules', moduleHealthSchema),
  async serve(call, { dispatch }) {
    const lists = await Promise.all(
      HEALTH_LISTS.map((operation) => allResultsOf<object>(dispatch, operation, call)),
    );
    return { body: lists.flat() };
  },
};

/** Returns the health of an adapter or an application. */
export const getModuleHealth: LegacyHandler = {
  id: 'getModuleHealth',
  summary: 'Get the health of an adapter or an application.',
  description: 'Returns the state and the resource usage of an adapter or an application.',
  roles: READERS,
  through: HEALTH_OPERATIONS,
  reply: moduleHealthSchema,
  serve: (call, { dispatch }) =>
    dispatchToEither(dispatch, HEALTH_OPERATIONS, callWithName(call, call.params['module'])),
};

/**
 * Creates the handler that stops, starts or restarts a component. The old operation is a GET, but it changes
 * state, so the audit log records it like the PUT that replaces it.
 */
function lifecycleHandler(
  verb: 'stop' | 'start' | 'restart',
  summary: string,
  description: string,
): LegacyHandler {
  const pair: OperationPair = [`adapters.${verb}Adapter`, `applications.${verb}Application`];
  return {
    id: `${verb}Module`,
    summary,
    description,
    roles: ADMIN_ROLES,
    through: pair,
    reply: doneReplySchema,
    changes: true,
    audited: true,
    serve: (call, { dispatch }) =>
      dispatchToEither(dispatch, pair, callWithName(call, call.params['module'])),
  };
}

export const stopModule = lifecycleHandler(
  'stop',
  'Stop an adapter or an application.',
  'Stops an adapter or an application after its running calls. It stays stopped after a restart of the server.',
);
export const startModule = lifecycleHandler(
  'start',
  'Start an adapter or an application.',
  'Starts an adapter or an application that was stopped.',
);
export const restartModule = lifecycleHandler(
  'restart',
  'Restart an adapter or an application.',
  'Starts an adapter or an application anew; running calls end first.',
);

const moduleSchema = bodySchemaWith('Module to load', { module: 'Name of an adapter or an application' }, {});

export const loadModule: LegacyHandler<FromSchema<typeof moduleSchema>> = {
  id: 'loadModule',
  summary: 'Start an existing adapter or application.',
  description: 'Starts an adapter or an application that was stopped. Loads no new plugin.',
  roles: ADMIN_ROLES,
  through: [...START_OPERATIONS, 'schema.getAdapterSchema'],
  body: moduleSchema,
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => body.module,
  serve: (call, { dispatch }) => {
    const moduleCall = callWithName(call, call.body.module);
    return recoverFrom(
      'adapter_not_found',
      () => dispatchToEither(dispatch, START_OPERATIONS, moduleCall),
      async () => {
        // Throws `adapter_not_found` if the name is not a plugin either.
        await dispatch('schema.getAdapterSchema', moduleCall);
        const { module } = call.body;
        throw new Problem(
          'adapter_not_found',
          `"${module}" is a plugin, not an adapter: register an adapter with POST /adapters`,
        );
      },
    );
  },
};

const loggingSchema = bodySchemaWith(
  'Logging of a module',
  { module: 'Name of an adapter or an application', level: 'For example debug' },
  { transport: { type: 'string', description: 'console, file or syslog; default: all' } },
);

export const setModuleLogging: LegacyHandler<FromSchema<typeof loggingSchema>> = {
  id: 'setModuleLogging',
  summary: 'Update the log level of an adapter or an application.',
  description: 'Changes the log level of an adapter or an application, for one destination or for all.',
  roles: ADMIN_ROLES,
  through: LOG_LEVEL_OPERATIONS,
  body: loggingSchema,
  reply: doneReplySchema,
  audited: true,
  target: ({ body }) => body.module,
  serve(call, { dispatch }) {
    const { module, transport, level } = call.body;
    const properties = { level, ...(transport !== undefined && { transport }) };
    return dispatchToEither(dispatch, LOG_LEVEL_OPERATIONS, {
      ...callWithName(call, module),
      body: { properties },
    });
  },
};

const changeLogSchema = bodySchemaWith(
  'Component and release',
  { module: 'Name of an adapter or an application' },
  { release: { type: 'string', description: 'Default: all releases' } },
);

export const getChangeLog: LegacyHandler<FromSchema<typeof changeLogSchema>> = {
  id: 'getChangeLog',
  summary: 'Get the changes of an adapter or an application by release.',
  description: 'Returns the changes of one release or of all releases. Changes nothing.',
  roles: READERS,
  through: CHANGELOG_OPERATIONS,
  body: changeLogSchema,
  reply: listSchemaOf('Changes by release'),
  async serve(call, { dispatch }) {
    const { module, release } = call.body;
    const query = new URLSearchParams(release === undefined ? {} : { release });
    return replyWithMember(
      await dispatchToEither(dispatch, CHANGELOG_OPERATIONS, { ...callWithName(call, module), query }),
      'results',
    );
  },
};
