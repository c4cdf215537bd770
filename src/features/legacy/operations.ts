import type { Application } from '../../core/operation.js';
import { deprecatedOperation } from './deprecated-operation.js';
import { DEPRECATIONS } from './deprecations.js';
import type { DeprecationsDeps } from './deps.js';
import { getDeprecations } from './get-deprecations.js';

/**
 * Operations of previous releases, which their replacements serve until the release that removes them
 * (specification section 9).
 */
export const deprecations: Application<DeprecationsDeps> = {
  name: 'deprecations',
  summary: 'Operations of previous releases of the platform, and their remaining callers.',
  prefixes: [''],
  operations: [getDeprecations, ...DEPRECATIONS.map(deprecatedOperation)],
};
