import type { Application } from '../../core/operation.js';
import { deleteAdapterCache } from './adapter-cache.js';
import { adapterHistoryOperations } from './adapter-history.js';
import { adapterLifecycle, suspendAdapter } from './adapter-lifecycle.js';
import { callAdapterMethod, getAdapterMethods } from './adapter-methods.js';
import {
  createAdapter,
  deleteAdapter,
  importAdapter,
  updateAdapter,
  updateAdapterProperties,
} from './change-adapters.js';
import { testAdapterConnection, testSavedAdapterConnection } from './connection-test.js';
import type { AdaptersDeps } from './deps.js';
import { exportAdapter, getAdapter, getAdapters, getBrokerMap } from './get-adapters.js';
import { changelogOperation } from './get-changelogs.js';
import { lifecycleOperations } from './lifecycle.js';
import { logLevelOperation } from './log-levels.js';

export const adapters: Application<AdaptersDeps> = {
  name: 'adapters',
  summary: 'Register, change, start and stop adapters.',
  prefixes: ['/adapters'],
  operations: [
    ...[getAdapters, createAdapter, importAdapter, getBrokerMap],
    ...[getAdapter, exportAdapter, updateAdapter, updateAdapterProperties, deleteAdapter],
    ...[logLevelOperation(adapterLifecycle), changelogOperation(adapterLifecycle)],
    ...lifecycleOperations(adapterLifecycle),
    ...[suspendAdapter, deleteAdapterCache],
    ...[testAdapterConnection, testSavedAdapterConnection],
    ...adapterHistoryOperations,
    ...[getAdapterMethods, callAdapterMethod],
  ],
};
