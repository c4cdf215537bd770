import { adapterSettings } from './adapter-settings.js';
import { auditRecord } from './audit-record.js';
import { cli } from './cli.js';
import { deprecations } from './deprecations.js';
import { environment } from './environment.js';
import { importReport } from './import-report.js';
import { metrics } from './metrics.js';
import { operations } from './operations.js';
import type { ReferencePage } from './page.js';
import { pluginApi } from './plugin-api.js';
import { problems } from './problems.js';
import { secretErrors } from './secret-errors.js';
import { settings } from './settings.js';

/** The generated pages, in the order of `docs/reference/README.md`. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  settings,
  adapterSettings,
  operations,
  problems,
  metrics,
  cli,
  pluginApi,
  auditRecord,
  deprecations,
  secretErrors,
  importReport,
  environment,
];
