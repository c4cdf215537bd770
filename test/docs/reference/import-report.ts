import type { Reason } from '../../../src/cli/import-properties/import-report.js';
import * as skipped from '../../../src/cli/import-properties/skipped.js';
import type { ReferencePage } from './page.js';
import { blocks, code, prose, table } from './write-markdown.js';

export const importReport: ReferencePage = {
  file: 'import-report.md',
  title: 'Import report',
  about: 'The reasons why `gatehouse import-properties` does not import a value, and what to do instead.',
  body: () =>
    blocks(
      'The report lists every value of the properties file that has no counterpart. It never contains a value. [Move from the platform](../how-to/move-from-the-platform.md) shows a migration.',
      '## Blocks of the properties and the profile',
      byName('Block', skipped.BLOCK_REASONS),
      '## Settings of an adapter',
      byName('Setting', skipped.ADAPTER_BLOCK_REASONS),
      '## Whole service configs',
      ofReasons(Object.values(skipped.SERVICE_CONFIG_REASONS)),
      '## Other settings',
      ofReasons(others()),
    ),
};

function byName(head: string, reasons: ReadonlyMap<string, Reason>): string {
  const rows = [...reasons].map(([name, { why, instead }]) => [code(name), prose(why), prose(instead)]);
  return table([head, 'Reason', 'What to do'], rows);
}

function ofReasons(reasons: readonly Reason[]): string {
  return table(
    ['Reason', 'What to do'],
    reasons.map(({ why, instead }) => [prose(why), prose(instead)]),
  );
}

/** Returns the reasons that the module exports as constants of their own. */
function others(): readonly Reason[] {
  return Object.values(skipped).filter((value): value is Reason => 'why' in value);
}
