import type { Application } from '../../core/operation.js';
import type { ConsoleDeps } from './deps.js';
import { getProfileImpact } from './impact.js';
import { getLimits } from './limits.js';
import { getLogLines } from './log-lines.js';
import { getEvents, getOverview } from './overview.js';
import { getRequest } from './requests.js';
import { getSecrets, testSecret } from './secrets.js';
import { testAdapter } from './test-adapter.js';
import { getCalls, getTraffic } from './traffic.js';
import { getVaultPaths } from './vault-paths.js';

/** The application that serves the console pages; clients of the platform do not use its operations. */
export const consoleApp: Application<ConsoleDeps> = {
  name: 'console',
  summary: 'Data of the running server for the pages of the console.',
  prefixes: ['/console'],
  operations: [
    getOverview,
    getTraffic,
    getCalls,
    getRequest,
    getLogLines,
    getLimits,
    getSecrets,
    testSecret,
    getVaultPaths,
    testAdapter,
    getProfileImpact,
    getEvents,
  ],
};
