import type { Application } from '../../core/operation.js';
import type { PlatformDeps } from './deps.js';
import { getMetrics } from './metrics.js';
import { getReadiness } from './readiness.js';
import { refreshSecrets } from './refresh-secrets.js';
import { getVersion } from './version.js';

/** The core of the platform: version, readiness, metrics, secrets. */
export const platform: Application<PlatformDeps> = {
  name: 'platform',
  summary: 'The core of the platform: health, readiness, measurements, secrets.',
  prefixes: [''],
  operations: [getVersion, getReadiness, getMetrics, refreshSecrets],
};
