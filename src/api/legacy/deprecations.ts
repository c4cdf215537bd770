import type { DeprecatedRow } from './deprecated-operation.js';
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
import { getActiveSessions, isAlive } from './server.js';
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

const IN_2020 = { deprecatedIn: '2020.2', removedIn: '2021.2' } as const;

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
    serving: isAlive,
  },
  {
    route: 'DELETE /config/profile/delete/:id',
    ...IN_2020,
    replacements: ['DELETE /profiles/:id'],
    serving: deleteConfigProfile,
  },
  {
    route: 'DELETE /config/services/delete/:name',
    ...IN_2020,
    replacements: ['DELETE /adapters/:name'],
    serving: deleteServiceConfig,
  },
  {
    route: 'DELETE /providers/:id',
    ...IN_2020,
    replacements: ['DELETE /adapters/:name'],
    serving: deleteProvider,
  },
  {
    route: 'GET /config/active_services',
    ...IN_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    serving: getActiveServiceNames,
  },
  {
    route: 'GET /config/active_adapters',
    ...IN_2020,
    replacements: ['GET /adapters'],
    serving: getActiveAdapterNames,
  },
  { route: 'GET /config/profiles', ...IN_2020, replacements: ['GET /profiles'], serving: getConfigProfiles },
  {
    route: 'GET /config/profiles/sync',
    ...IN_2020,
    replacements: ['GET /profiles'],
    serving: syncConfigProfiles,
  },
  { route: 'GET /config/property', ...IN_2020, replacements: ['GET /profiles'], serving: getProperty },
  {
    route: 'GET /config/property/id/:id',
    ...IN_2020,
    replacements: ['GET /profiles/:id'],
    serving: getPropertyById,
  },
  {
    route: 'GET /config/property/schema',
    ...IN_2020,
    replacements: ['GET /schema/profiles'],
    serving: getPropertySchema,
  },
  {
    route: 'GET /config/services',
    ...IN_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    serving: getServiceConfigs,
  },
  {
    route: 'GET /config/services/schema',
    ...IN_2020,
    replacements: ['GET /schema/adapters/:name', 'GET /schema/applications/:name'],
    serving: getServiceSchemas,
  },
  {
    route: 'GET /config/services/sync',
    ...IN_2020,
    replacements: ['GET /adapters', 'GET /applications'],
    serving: syncServiceConfigs,
  },
  {
    route: 'GET /health/modules',
    ...IN_2020,
    replacements: ['GET /health/adapters', 'GET /health/applications'],
    serving: getModulesHealth,
  },
  {
    route: 'GET /health/module/:module',
    ...IN_2020,
    replacements: ['GET /health/adapters/:name', 'GET /health/applications/:name'],
    serving: getModuleHealth,
  },
  {
    route: 'GET /modules/stop/:module',
    ...IN_2020,
    replacements: ['PUT /adapters/:name/stop', 'PUT /applications/:name/stop'],
    serving: stopModule,
  },
  {
    route: 'GET /modules/start/:module',
    ...IN_2020,
    replacements: ['PUT /adapters/:name/start', 'PUT /applications/:name/start'],
    serving: startModule,
  },
  {
    route: 'GET /modules/restart/:module',
    ...IN_2020,
    replacements: ['PUT /adapters/:name/restart', 'PUT /applications/:name/restart'],
    serving: restartModule,
  },
  { route: 'GET /providers', ...IN_2020, replacements: ['GET /adapters'], serving: getProviders },
  { route: 'GET /providers/:id', ...IN_2020, replacements: ['GET /adapters/:name'], serving: getProvider },
  {
    route: 'GET /providers/:id/schema',
    ...IN_2020,
    replacements: ['GET /schema/adapters/:name'],
    serving: getProviderSchema,
  },
  {
    route: 'GET /providers/schema',
    ...IN_2020,
    replacements: ['GET /schema/adapters/:name'],
    serving: getProviderSchemas,
  },
  {
    route: 'POST /config/profile/add',
    ...IN_2020,
    replacements: ['POST /profiles'],
    serving: addConfigProfile,
  },
  {
    route: 'POST /config/profiles/change',
    ...IN_2020,
    replacements: ['PUT /profiles/:id/active'],
    serving: changeConfigProfile,
  },
  {
    route: 'POST /config/property/new',
    ...IN_2020,
    replacements: ['PUT /profiles/:id'],
    serving: newProperty,
  },
  {
    route: 'POST /config/property/update',
    ...IN_2020,
    replacements: ['PUT /profiles/:id'],
    serving: updateProperty,
  },
  {
    route: 'POST /config/services/create',
    ...IN_2020,
    replacements: ['POST /adapters'],
    serving: createServiceConfig,
  },
  {
    route: 'POST /config/services/save',
    ...IN_2020,
    replacements: ['PUT /adapters/:name', 'PUT /applications/:name'],
    serving: saveServiceConfig,
  },
  { route: 'POST /modules/load', ...IN_2020, replacements: [], serving: loadModule },
  {
    route: 'POST /modules/setLogging',
    ...IN_2020,
    replacements: ['PUT /adapters/:name/loglevel', 'PUT /applications/:name/loglevel'],
    serving: setModuleLogging,
  },
  {
    route: 'POST /providers/schema/update',
    ...IN_2020,
    replacements: ['GET /schema/adapters/:name'],
    serving: updateProviderSchemas,
  },
  {
    route: 'POST /appUpdate/changeLog/',
    aliases: ['/appUpdate/changeLog'],
    ...IN_2020,
    replacements: ['GET /adapters/:name/changelogs', 'GET /application/:name/changelogs'],
    serving: getChangeLog,
  },
  {
    route: 'POST /getActiveSessions',
    deprecatedIn: '2020.2',
    removedIn: '2022.1',
    replacements: [],
    serving: getActiveSessions,
  },
  { route: 'PUT /providers/:id', ...IN_2020, replacements: ['PUT /adapters/:name'], serving: putProvider },
];
