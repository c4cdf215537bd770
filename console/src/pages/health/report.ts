import type { OverviewReply } from '../../api/observe.js';
import { formatAmount } from '../../kit/numbers.js';
import { CHECKS, type HealthRow, type StatusReply } from './matrix.js';

/**
 * Formats the state of all components as plain text, for a ticket or an email: times are in UTC, components
 * in the given order.
 */
export function reportOf(
  { server, problems, problemsLeft }: OverviewReply,
  status: StatusReply,
  rows: readonly HealthRow[],
): string {
  const time = (at: number | null) => (at === null ? 'unknown' : new Date(at).toISOString());
  return [
    `gatehouse health, ${time(server.now)}`,
    '',
    `host       ${status.host}`,
    `server id  ${status.serverId}`,
    `version    ${server.version} (${server.release})`,
    `started    ${time(server.since)}`,
    `profile    ${server.activeProfile ?? 'none active'}`,
    `revision   ${server.revision}, load ${server.generation}`,
    '',
    `Problems: ${problems.length + problemsLeft}`,
    ...problems.map(
      ({ severity, title, cause, since }) => `- [${severity}] ${title}: ${cause} (since ${time(since)})`,
    ),
    ...(problemsLeft > 0 ? [`- and ${formatAmount(problemsLeft, 'more', 'more')}`] : []),
    '',
    ...tableOf([
      ['kind', 'component', ...CHECKS, 'last OK'],
      ...rows.map(({ kind, name, checks, lastGood, members = [] }) => [
        kind,
        members.length === 0 ? name : `${name} (${members.join(', ')})`,
        ...CHECKS.map((check) => checks[check]?.word ?? ''),
        time(lastGood),
      ]),
    ]),
    '',
  ].join('\n');
}

/** Formats lines with aligned columns. */
function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
