import type { Application } from '../../core/operation.js';
import { getLimits } from '../limits/operations.js';
import { getSecrets, testSecret } from '../secrets-page/get-secrets.js';
import { getVaultPaths } from '../secrets-page/get-vault-paths.js';
import { getRequest } from '../traffic/get-requests.js';
import { getCalls, getTraffic } from '../traffic/get-traffic.js';
import type { ConsoleDeps } from './deps.js';
import { getProfileImpact } from './impact.js';
import { getLogLines } from './log-lines.js';
import { getEvents, getOverview } from './overview.js';
import { testAdapter } from './test-adapter.js';

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
