import { adapterSettings } from './adapter-settings.js';
import { cli } from './cli.js';
import { metrics } from './metrics.js';
import { operations } from './operations.js';
import type { ReferencePage } from './page.js';
import { problems } from './problems.js';
import { settings } from './settings.js';

/** The generated pages, in the order of `docs/reference/README.md`. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  settings,
  adapterSettings,
  operations,
  problems,
  metrics,
  cli,
];
