import type { Application } from '../../domain/operation.js';
import type { PlatformDeps } from './deps.js';
import { getHealthStatus } from './health-status.js';

/** The core of the platform: health. */
export const platform: Application<PlatformDeps> = {
  name: 'platform',
  prefixes: [''],
  operations: [getHealthStatus],
};
