import type { Application } from '../../core/operation.js';
import { getAdapterHealth, getAdaptersHealth } from './adapters-health.js';
import { getApplicationHealth, getApplicationsHealth } from './applications-health.js';
import type { HealthDeps } from './deps.js';
import { getHealthStatus } from './health-status.js';
import { getServerHealth } from './server-health.js';
import { getSystemHealth } from './system-health.js';

/** Health of all components, for people, monitoring systems and load balancers (wire section 6). */
export const health: Application<HealthDeps> = {
  name: 'health',
  summary: 'How the server, its applications and its adapters stand.',
  prefixes: [''],
  operations: [
    getHealthStatus,
    getAdaptersHealth,
    getAdapterHealth,
    getApplicationsHealth,
    getApplicationHealth,
    getServerHealth,
    getSystemHealth,
  ],
};
