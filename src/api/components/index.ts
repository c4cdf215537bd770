import type { Application } from '../../core/operation.js';
import { adapterLife } from './adapter-lifecycle.js';
import { applicationLife } from './application-lifecycle.js';
import { createAdapter, importAdapter } from './create-adapter.js';
import { deleteAdapter } from './delete-adapter.js';
import type { AdaptersDeps, ApplicationsDeps } from './deps.js';
import { exportAdapter, getAdapter } from './get-adapter.js';
import { getAdapters } from './get-adapters.js';
import { getApplication, getApplications } from './get-applications.js';
import { getBrokerMap } from './get-broker-map.js';
import { changelogOperation } from './get-changelogs.js';
import { lifecycleOperations } from './lifecycle.js';
import { logLevelOperation } from './set-log-level.js';
import { suspendAdapter } from './suspend-adapter.js';
import { updateAdapter, updateAdapterProperties } from './update-adapter.js';
import { updateApplication, updateApplicationProperties } from './update-application.js';

/** Operations on adapters of files and on registered adapters (wire section 5.2). */
export const adapters: Application<AdaptersDeps> = {
  name: 'adapters',
  summary: 'The adapters that there are: register, change, start and stop them.',
  prefixes: ['/adapters'],
  operations: [
    ...[getAdapters, createAdapter, importAdapter, getBrokerMap],
    ...[getAdapter, exportAdapter, updateAdapter, updateAdapterProperties, deleteAdapter],
    ...[logLevelOperation(adapterLife), changelogOperation(adapterLife)],
    ...lifecycleOperations(adapterLife),
    suspendAdapter,
  ],
};

/**
 * Operations on the applications of this process (wire section 5.3). The second prefix exists because the
 * specification spells one path in the singular.
 */
export const applications: Application<ApplicationsDeps> = {
  name: 'applications',
  summary: 'The applications of this process: what is logged of them, start and stop.',
  prefixes: ['/applications', '/application'],
  operations: [
    ...[getApplications, getApplication, updateApplication, updateApplicationProperties],
    ...[logLevelOperation(applicationLife), changelogOperation(applicationLife)],
    ...lifecycleOperations(applicationLife),
  ],
};
