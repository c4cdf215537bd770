import { PRESENT_RELEASE } from '../../../src/core/deprecation.js';
import { operationNameOf } from '../../../src/features/legacy/deprecated-operation.js';
import { DEPRECATIONS } from '../../../src/features/legacy/deprecations.js';
import { describeOperations } from '../../../src/features/operations.js';
import type { ReferencePage } from './page.js';
import { blocks, code, codes, prose, table } from './write-markdown.js';

const RULES = `The key \`release\` (default: \`"${PRESENT_RELEASE}"\`) names the release of the platform that clients see, and so the stage of each operation.
Releases compare as numbers: 2020.10 is later than 2020.2.`;

const STAGES: readonly (readonly string[])[] = [
  ['before "deprecated in"', '`current`', 'Served as before.'],
  [
    '"deprecated in" or later',
    '`deprecated`',
    'Served, with the headers `Deprecation`, `Sunset` and `Link`, counted, and reported in the log.',
  ],
  [
    '"removed in" or later',
    '`removed`',
    '410 [`operation_removed`](problems.md#operation_removed), after the token was verified.',
  ],
];

const FORMATS = `\`gatehouse openapi --release 2020.2\` prints the bodies and replies of these operations. They have the formats of the platform where those are known.
Lists have no pages. A service or a module is an adapter or an application; if both have the name, it is the adapter.
A caller needs a role for every operation in "Works through", unless the key \`roles\` has an entry for the deprecated operation itself.`;

export const deprecations: ReferencePage = {
  file: 'deprecations.md',
  title: 'Deprecated operations',
  about: 'The operations of previous releases of the platform, with their releases and their replacements.',
  body: () =>
    blocks(
      RULES,
      table(['Release of the server', 'Stage', 'A call is'], STAGES),
      FORMATS,
      table(
        ['Operation', 'Deprecated in', 'Removed in', 'Replacement', 'Name', 'Works through', 'Summary'],
        rows(),
      ),
    ),
};

function rows(): readonly (readonly string[])[] {
  const described = new Map(describeOperations().map((operation) => [operation.name, operation]));
  return DEPRECATIONS.map((row) => {
    const { row: { summary = '', through = [] } = {} } = described.get(operationNameOf(row)) ?? {};
    return [
      code(row.route),
      row.deprecatedIn,
      row.removedIn,
      row.replacements.map(code).join(' or ') || 'none',
      code(operationNameOf(row)),
      codes(through),
      prose(summary),
    ];
  });
}
