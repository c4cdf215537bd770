import { type ProblemCode, PROBLEMS } from '../../../src/core/problem-codes.js';
import type { ReferencePage } from './page.js';
import { MEANINGS_OF_CALLERS, type ProblemMeaning } from './problem-meanings.js';
import { MEANINGS_OF_SERVER } from './problem-meanings-server.js';
import { blocks, code, prose, table } from './write-markdown.js';

const { requests, callers, forms } = MEANINGS_OF_CALLERS;
const { records, adapters, orchestrators, server } = MEANINGS_OF_SERVER;

/** The compiler checks that every code has a meaning. */
const MEANINGS: Readonly<Record<ProblemCode, ProblemMeaning>> = {
  ...requests,
  ...callers,
  ...forms,
  ...records,
  ...adapters,
  ...orchestrators,
  ...server,
};

const GROUPS: readonly (readonly [title: string, codes: readonly string[]])[] = [
  ['Requests', Object.keys(requests)],
  ['Authentication and authorization', Object.keys(callers)],
  ['Forms and tasks', Object.keys(forms)],
  ['Records and configuration', Object.keys(records)],
  ['Adapters', Object.keys(adapters)],
  ['Orchestrators and other targets', Object.keys(orchestrators)],
  ['The server', Object.keys(server)],
];

const FORMAT = `A failed request gets \`application/problem+json\` (RFC 9457). Programs use \`code\`, which is stable; people read \`detail\` and \`recommendation\`.
The log has the line of a request by its \`requestId\`, which the header \`x-request-id\` contains too.
[Handle errors](../how-to/handle-errors.md) shows what a program does.`;

export const problems: ReferencePage = {
  file: 'problems.md',
  title: 'Problems',
  about: 'Every problem code with its status, its meaning and what to do.',
  body: () =>
    blocks(
      FORMAT,
      ...GROUPS.map(([title, names]) => blocks(`## ${title}`, overview(names), ...names.map(sectionOf))),
    ),
};

function overview(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { status, title } = PROBLEMS[name as ProblemCode];
    return [`[${code(name)}](#${name})`, `${status}`, prose(title)];
  });
  return table(['Code', 'Status', 'Title'], rows);
}

function sectionOf(name: string): string {
  const { status, recommendation } = PROBLEMS[name as ProblemCode];
  const { meaning, advice = '', statuses = `${status}` } = MEANINGS[name as ProblemCode];
  return blocks(
    `### ${code(name)}`,
    `Status ${statuses}. ${meaning}`,
    `What to do: ${prose(recommendation)} ${advice}`.trimEnd(),
  );
}
