import type { Application } from '../../core/operation.js';
import { getCalls } from './calls.js';
import type { ConsoleDeps } from './deps.js';
import { getEvents } from './events.js';
import { getProfileImpact } from './impact.js';
import { getLogLines } from './log-lines.js';
import { getOverview } from './overview.js';
import { getSecrets, testSecret } from './secrets.js';
import { getTraffic } from './traffic.js';

/** Operations for the console pages, which clients of the platform do not use. */
export const consoleApp: Application<ConsoleDeps> = {
  name: 'console',
  summary: 'What the pages for people show of the running server.',
  prefixes: ['/console'],
  operations: [
    getOverview,
    getTraffic,
    getCalls,
    getLogLines,
    getSecrets,
    testSecret,
    getProfileImpact,
    getEvents,
  ],
};
