import { adapterSettings } from './adapter-settings.js';
import { auditRecord } from './audit-record.js';
import { cli } from './cli.js';
import { configurationErrors } from './configuration-errors.js';
import { contentsOf } from './contents.js';
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

const PAGES: readonly ReferencePage[] = [
  settings,
  adapterSettings,
  operations,
  problems,
  metrics,
  cli,
  pluginApi,
  auditRecord,
  deprecations,
  configurationErrors,
  secretErrors,
  importReport,
  environment,
];

/** The generated pages: their list, and the pages in its order. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [contentsOf(PAGES), ...PAGES];
