import type { DescribedOperation } from '../../../src/core/operation.js';
import { describeOperations } from '../../../src/features/operations.js';
import type { ReferencePage } from './page.js';
import { blocks, code, codes, prose, table } from './write-markdown.js';

/** The texts for operations without a list of roles. */
const OPEN_TO = { public: 'everyone, without a token', authenticated: 'everyone with a token' };

const RULES = `[openapi.json](../openapi.json) describes the parameters, bodies and replies; a running server has it at \`/openapi.json\`, with its configured roles.
The roles here are the defaults; the key \`roles\` of the main file changes them. The method \`ANY\` stands for every method.

The name of an operation is used in the keys \`roles\`, \`limits\` and \`access\`, in audit records and in the log. Calls of audited operations
leave a record in the [audit trail](../explanation/audit-trail.md).`;

export const operations: ReferencePage = {
  file: 'operations.md',
  title: 'Operations',
  about: 'Every operation of the API with its name, method, paths and roles.',
  body: () => {
    const all = describeOperations();
    const applications = [...new Set(all.map(applicationOf))];
    const sections = applications.map((name) =>
      sectionOf(
        name,
        all.filter((one) => applicationOf(one) === name),
      ),
    );
    return blocks(RULES, ...sections);
  },
};

const applicationOf = ({ name }: DescribedOperation): string => name.split('.')[0] ?? '';

function sectionOf(name: string, rows: readonly DescribedOperation[]): string {
  const { applicationSummary = '', component } = rows[0] ?? {};
  const stops = component === undefined ? '' : ` Operators stop and start it as ${code(component)}.`;
  const head = ['Operation', 'Method', 'Path', 'Roles', 'Audited', 'Summary'];
  return blocks(`## ${code(name)}`, prose(applicationSummary) + stops, table(head, rows.map(rowOf)));
}

function rowOf({ name, paths, row }: DescribedOperation): readonly string[] {
  const { method, roles, audited, summary, deprecation } = row;
  const until = deprecation && ` Deprecated, see [Deprecated operations](deprecations.md).`;
  return [
    code(name),
    method,
    codes(paths),
    typeof roles === 'string' ? OPEN_TO[roles] : codes(roles),
    audited ? 'yes' : '',
    prose(summary) + (until ?? ''),
  ];
}
