import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import type { LifecycleDeps } from './deps.js';
import type { Lifecycle } from './lifecycle.js';

interface Release {
  readonly version: string;
  /** Date in the form `2026-11-21`; null if the release has no date. */
  readonly date: string | null;
  readonly changes: readonly string[];
}

// Matches "## 1.2.0", "## [1.2.0] - 2026-11-21", "## v1.2.0 (2026-11-21)", "# 1.2.0 [2026-11-21]", and
// "## 1.2.0 [11-21-2026]" of the adapters of the public catalog, which write the month first.
const RELEASE_HEADING =
  /^#{1,3}\s+\[?v?(\d[\w.+-]*|Unreleased)\]?(?:\s*[-–([]*\s*(\d{4}-\d{2}-\d{2}|\d{2}-\d{2}-\d{4}))?/i;
const MONTH_FIRST = /^(\d{2}-\d{2})-(\d{4})$/;
// A line of three or more hyphens, asterisks or underscores, by which catalog changelogs separate releases.
const THEMATIC_BREAK = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const LIST_ITEM = /^\s{0,3}[-*+]\s+(.*)$/;

/**
 * Parses the releases of a Markdown changelog, in the order of the file. Continuation lines belong to the
 * preceding item.
 */
export function parseChangelog(text: string): readonly Release[] {
  const releases: { version: string; date: string | null; changes: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = RELEASE_HEADING.exec(line) ?? [];
    if (version !== undefined) releases.push({ version, date: isoDate(date), changes: [] });
    else addLine(releases.at(-1)?.changes, line);
  }
  return releases;
}

function isoDate(date: string | undefined): string | null {
  return date?.replace(MONTH_FIRST, '$2-$1') ?? null;
}

function addLine(changes: string[] | undefined, line: string): void {
  if (!changes || line.trim() === '' || line.startsWith('#') || THEMATIC_BREAK.test(line)) return;
  const item = LIST_ITEM.exec(line)?.[1];
  const last = changes.pop();
  if (item !== undefined) changes.push(...(last === undefined ? [] : [last]), item.trim());
  else changes.push(last === undefined ? line.trim() : `${last} ${line.trim()}`);
}

/** Creates the operation that returns the changelog of components of a kind (wire decision 9). */
export function changelogOperation<Deps extends LifecycleDeps>(lifecycle: Lifecycle<Deps>): Operation<Deps> {
  return {
    id: `get${lifecycle.noun}Changelogs`,
    summary: `Get the changes of an ${lifecycle.kind} by release.`,
    description: `Returns the releases in the changelog of an ${lifecycle.kind}, in its order, or the only release that \`release\` names.`,
    problems: lifecycle.problems.filter((code) => code.endsWith('_not_found')),
    method: 'GET',
    path: '/:name/changelogs',
    roles: READERS,
    query: {
      type: 'object',
      properties: {
        release: { type: 'string', description: 'The only release to return; absent: all releases' },
      },
    },
    reply: {
      title: 'Changelogs',
      type: 'object',
      required: ['results', 'total'],
      properties: {
        results: {
          type: 'array',
          items: {
            title: 'Changelog release',
            type: 'object',
            required: ['version', 'date', 'changes'],
            properties: {
              version: { type: 'string' },
              date: { type: ['string', 'null'] },
              changes: { type: 'array', items: { type: 'string' } },
            },
          },
        },
        total: { type: 'integer' },
      },
    },
    async handle({ params, query }, deps) {
      const { name = '' } = params;
      lifecycle.find(deps, name);
      const releases = parseChangelog((await deps.changelogOf(lifecycle.kind, name)) ?? '');
      const release = query.get('release');
      const results = releases.filter(({ version }) => release === null || version === release);
      return { body: { results, total: results.length } };
    },
  };
}
