import type { Application } from '../../domain/operation.js';
import type { PlatformDeps } from './deps.js';
import { getHealthStatus } from './health-status.js';
import { getMetrics } from './metrics.js';
import { getReadiness } from './readiness.js';
import { refreshSecrets } from './refresh-secrets.js';

/** The core of the platform: health, readiness, metrics, secrets. */
export const platform: Application<PlatformDeps> = {
  name: 'platform',
  prefixes: [''],
  operations: [getHealthStatus, getReadiness, getMetrics, refreshSecrets],
};
