import type { ProductionRule } from '../../../src/cli/production/rule.js';
import { ADAPTER_RULES, MAIN_RULES } from '../../../src/cli/production/rules.js';
import type { ReferencePage } from './page.js';
import { blocks, code, prose, table } from './write-markdown.js';

const ABOUT_FINDINGS = `An **error** loses or discloses credentials, records or calls, and \`gatehouse check --production\` ends with exit code 78. A **warning** is
advice. [Prepare for production](../how-to/prepare-for-production.md) shows how to use the command.`;

export const production: ReferencePage = {
  file: 'production.md',
  title: 'Settings for production',
  about:
    'The settings that `gatehouse check --production` examines, what is wrong with them, and what to do.',
  body: () =>
    blocks(ABOUT_FINDINGS, '## Main file', rowsOf(MAIN_RULES), '## Adapters', rowsOf(ADAPTER_RULES)),
};

function rowsOf(rules: readonly ProductionRule<never>[]): string {
  return table(
    ['Setting', 'Finding', 'The setting', 'What to do'],
    rules.map(({ setting, isFault, message, fix }) => [
      code(setting),
      isFault ? 'error' : 'warning',
      prose(message),
      prose(fix),
    ]),
  );
}
