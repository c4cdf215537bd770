import type { Application } from '../../core/operation.js';
import {
  getAdapterHealth,
  getAdaptersHealth,
  getApplicationHealth,
  getApplicationsHealth,
} from './component-health.js';
import type { HealthDeps } from './deps.js';
import { getHealthStatus, getServerHealth, getSystemHealth } from './server-health.js';

export const health: Application<HealthDeps> = {
  name: 'health',
  summary: 'Health of the server, its applications and its adapters.',
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
