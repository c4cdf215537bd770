import { adapterSettings } from './adapter-settings.js';
import { auditRecord } from './audit-record.js';
import { cli } from './cli.js';
import { contentsOf } from './contents.js';
import { deprecations } from './deprecations.js';
import { importReport } from './import-report.js';
import { metrics } from './metrics.js';
import { operations } from './operations.js';
import type { ReferencePage } from './page.js';
import { pluginApi } from './plugin-api.js';
import { production } from './production.js';
import { settings } from './settings.js';

const PAGES: readonly ReferencePage[] = [
  settings,
  adapterSettings,
  operations,
  metrics,
  cli,
  pluginApi,
  auditRecord,
  deprecations,
  importReport,
  production,
];

/** The generated pages: their list, and the pages in its order. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [contentsOf(PAGES), ...PAGES];
