import { readdirSync } from 'node:fs';
import { readPage } from '../markdown.js';
import { adapterSettings } from './adapter-settings.js';
import { auditRecord } from './audit-record.js';
import { cli } from './cli.js';
import { deprecations } from './deprecations.js';
import { importReport } from './import-report.js';
import { metrics } from './metrics.js';
import { operations } from './operations.js';
import { FOLDER, type ReferencePage } from './page.js';
import { pluginApi } from './plugin-api.js';
import { production } from './production.js';
import { settings } from './settings.js';
import { blocks, table } from './write-markdown.js';

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

/** Returns the page that lists the pages of the reference, first the generated ones, then those written by hand. */
function contentsOf(pages: readonly ReferencePage[]): ReferencePage {
  return {
    file: 'README.md',
    title: 'Reference',
    about:
      'Facts to look up. Most pages are generated from the code and the schemas, so they match the version.',
    body: () => {
      const generated = pages.map(({ file, title, about }) => [`[${title}](${file})`, about]);
      const api = ['[openapi.json](../openapi.json)', 'The OpenAPI 3.1 description of the API.'];
      return blocks(table(['Page', 'Contents'], [...generated, api, ...manualRows(pages)]));
    },
  };
}

/** Returns the title and the first paragraph of each page that is not generated. */
function manualRows(pages: readonly ReferencePage[]): readonly (readonly string[])[] {
  const known = new Set(['README.md', ...pages.map(({ file }) => file)]);
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !known.has(name));
  return names.sort().map((name) => {
    const { prose } = readPage(`docs/reference/${name}`);
    const [, title = name, about = ''] = /^# (.+)\n\n((?:.+\n)+)/m.exec(prose) ?? [];
    return [`[${title}](${name})`, about.trim()];
  });
}
