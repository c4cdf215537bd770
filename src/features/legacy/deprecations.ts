import type { DeprecatedRow } from './deprecated-operation.js';
import { ADMIN_ROLES, listSchemaOf, objectSchemaWith, type LegacyHandler } from './legacy-operation.js';
import {
  getChangeLog,
  getModuleHealth,
  getModulesHealth,
  loadModule,
  restartModule,
  setModuleLogging,
  startModule,
  stopModule,
} from './modules.js';
import {
  addConfigProfile,
  changeConfigProfile,
  deleteConfigProfile,
  getConfigProfiles,
  getProperty,
  getPropertyById,
  getPropertySchema,
  newProperty,
  syncConfigProfiles,
  updateProperty,
} from './profiles.js';
import {
  deleteProvider,
  getProvider,
  getProviders,
  getProviderSchema,
  getProviderSchemas,
  putProvider,
  updateProviderSchemas,
} from './providers.js';
import {
  createServiceConfig,
  deleteServiceConfig,
  getActiveAdapterNames,
  getActiveServiceNames,
  getServiceConfigs,
  getServiceSchemas,
  saveServiceConfig,
  syncServiceConfigs,
} from './services.js';

/** Returns the status of the server, like `GET /status`. */
const isAlive: LegacyHandler = {
  id: 'isAlive',
  summary: 'Get the status of the server, its services and its adapters.',
  description: 'Returns the same as `getHealthStatus`.',
  roles: 'public',
  optionalToken: true,
  through: ['health.getHealthStatus'],
  reply: { title: 'Server status', ...objectSchemaWith('services', 'apps', 'adapters') },
  serve: (call, { dispatch }) => dispatch('health.getHealthStatus', call),
};

/** Lists the active logins. The replies contain no tokens, only values that identify them. */
const getActiveSessions: LegacyHandler = {
  id: 'getActiveSessions',
  summary: 'List the logins whose token is still valid, with their tokens masked.',
  description: 'Returns the users and clients whose token is valid, with a masked token. Changes nothing.',
  roles: ADMIN_ROLES,
  through: [],
  body: { title: 'Ignored body', type: 'object', description: 'The server ignores the body' },
  bodyOptional: true,
  reply: listSchemaOf('Active sessions', {
    type: 'object',
    required: ['user', 'kind', 'issuedAt', 'expiresAt', 'token'],
    properties: {
      user: { type: 'string' },
      kind: { type: 'string' },
      issuedAt: { type: 'string', format: 'date-time' },
      expiresAt: { type: 'string', format: 'date-time' },
      token: { type: 'string', description: 'Identifies the token, but cannot be used as a token' },
    },
  }),
  serve: async (_call, { sessions }) => ({
    body: (await sessions()).map(({ user, kind, issuedAt, expiresAt, token }) => ({
      user,
      kind,
      token,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    })),
  }),
};

const RELEASES_2020 = { deprecatedIn: '2020.2', removedIn: '2021.2' } as const;

/**
 * Deprecated operations of the platform core, in the order of the specification (section 9). The
 * specification defines no method for `/isAlive`, and a trailing slash for `POST /appUpdate/changeLog/`.
 */
export const DEPRECATIONS: readonly DeprecatedRow[] = [
  {
    route: 'GET /isAlive',
    deprecatedIn: '2018.3',
    removedIn: '2021.1',
    replacements: ['GET /status'],
    handler: isAlive,
  },
  {
    route: 'DELETE /config/profile/delete/:id',
    ...RELEASES_2020,
    replacements: ['DELETE /profiles/:id'],
    handler: deleteConfigProfile,
  },
  {
    route: 'DELETE /config/services/delete/:name',
    ...RELEASES_2020,
    replacements: ['DELETE /adapters/:name'],
    handler: deleteServiceConfig,
  },
  {
    route: 'DELETE /providers/:id',
    ...RELEASES_2020,
    replacements: ['DELETE /adapters/:name'],
    handler: deleteProvider,
  },
  {
    route: 'GET /config/active_services',
    ...RELEASES_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    handler: getActiveServiceNames,
  },
  {
    route: 'GET /config/active_adapters',
    ...RELEASES_2020,
    replacements: ['GET /adapters'],
    handler: getActiveAdapterNames,
  },
  {
    route: 'GET /config/profiles',
    ...RELEASES_2020,
    replacements: ['GET /profiles'],
    handler: getConfigProfiles,
  },
  {
    route: 'GET /config/profiles/sync',
    ...RELEASES_2020,
    replacements: ['GET /profiles'],
    handler: syncConfigProfiles,
  },
  { route: 'GET /config/property', ...RELEASES_2020, replacements: ['GET /profiles'], handler: getProperty },
  {
    route: 'GET /config/property/id/:id',
    ...RELEASES_2020,
    replacements: ['GET /profiles/:id'],
    handler: getPropertyById,
  },
  {
    route: 'GET /config/property/schema',
    ...RELEASES_2020,
    replacements: ['GET /schema/profiles'],
    handler: getPropertySchema,
  },
  {
    route: 'GET /config/services',
    ...RELEASES_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    handler: getServiceConfigs,
  },
  {
    route: 'GET /config/services/schema',
    ...RELEASES_2020,
    replacements: ['GET /schema/adapters/:name', 'GET /schema/applications/:name'],
    handler: getServiceSchemas,
  },
  {
    route: 'GET /config/services/sync',
    ...RELEASES_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    handler: syncServiceConfigs,
  },
  {
    route: 'GET /health/modules',
    ...RELEASES_2020,
    replacements: ['GET /health/adapters', 'GET /health/applications'],
    handler: getModulesHealth,
  },
  {
    route: 'GET /health/module/:module',
    ...RELEASES_2020,
    replacements: ['GET /health/adapters/:name', 'GET /health/applications/:name'],
    handler: getModuleHealth,
  },
  {
    route: 'GET /modules/stop/:module',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name/stop', 'PUT /applications/:name/stop'],
    handler: stopModule,
  },
  {
    route: 'GET /modules/start/:module',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name/start', 'PUT /applications/:name/start'],
    handler: startModule,
  },
  {
    route: 'GET /modules/restart/:module',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name/restart', 'PUT /applications/:name/restart'],
    handler: restartModule,
  },
  { route: 'GET /providers', ...RELEASES_2020, replacements: ['GET /adapters'], handler: getProviders },
  {
    route: 'GET /providers/:id',
    ...RELEASES_2020,
    replacements: ['GET /adapters/:name'],
    handler: getProvider,
  },
  {
    route: 'GET /providers/:id/schema',
    ...RELEASES_2020,
    replacements: ['GET /schema/adapters/:name'],
    handler: getProviderSchema,
  },
  {
    route: 'GET /providers/schema',
    ...RELEASES_2020,
    replacements: ['GET /schema/adapters/:name'],
    handler: getProviderSchemas,
  },
  {
    route: 'POST /config/profile/add',
    ...RELEASES_2020,
    replacements: ['POST /profiles'],
    handler: addConfigProfile,
  },
  {
    route: 'POST /config/profiles/change',
    ...RELEASES_2020,
    replacements: ['PUT /profiles/:id/active'],
    handler: changeConfigProfile,
  },
  {
    route: 'POST /config/property/new',
    ...RELEASES_2020,
    replacements: ['PUT /profiles/:id'],
    handler: newProperty,
  },
  {
    route: 'POST /config/property/update',
    ...RELEASES_2020,
    replacements: ['PUT /profiles/:id'],
    handler: updateProperty,
  },
  {
    route: 'POST /config/services/create',
    ...RELEASES_2020,
    replacements: ['POST /adapters'],
    handler: createServiceConfig,
  },
  {
    route: 'POST /config/services/save',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name', 'PUT /applications/:name'],
    handler: saveServiceConfig,
  },
  { route: 'POST /modules/load', ...RELEASES_2020, replacements: [], handler: loadModule },
  {
    route: 'POST /modules/setLogging',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name/loglevel', 'PUT /applications/:name/loglevel'],
    handler: setModuleLogging,
  },
  {
    route: 'POST /providers/schema/update',
    ...RELEASES_2020,
    replacements: ['GET /schema/adapters/:name'],
    handler: updateProviderSchemas,
  },
  {
    route: 'POST /appUpdate/changeLog/',
    aliases: [{ path: '/appUpdate/changeLog', id: 'getChangeLogAlias' }],
    ...RELEASES_2020,
    replacements: ['GET /adapters/:name/changelogs', 'GET /application/:name/changelogs'],
    handler: getChangeLog,
  },
  {
    route: 'POST /getActiveSessions',
    deprecatedIn: '2020.2',
    removedIn: '2022.1',
    replacements: [],
    handler: getActiveSessions,
  },
  {
    route: 'PUT /providers/:id',
    ...RELEASES_2020,
    replacements: ['PUT /adapters/:name'],
    handler: putProvider,
  },
];
