import type { AdapterStatusView, OverviewReply, Rates, TrafficCell } from '../../api/observe.js';
import { formatShare } from '../../kit/numbers.js';
import { type PlainKeyOf, textOf } from '../../text/text.js';
import { causeOf, causeOfIssue } from '../adapters/cause.js';
import { connectionOf, type AdapterStatus, stateOf } from '../adapters/status.js';
import { sentenceOf } from '../overview/issue-text.js';

const text = textOf('health');

/** The parts of `GET /health/status` that the page uses. */
export interface StatusReply {
  readonly host: string;
  readonly serverId: string;
  readonly services: readonly {
    readonly service: string;
    readonly status: 'running' | 'failed';
    readonly reason?: string;
  }[];
}

/** A component of `GET /health/adapters` or `GET /health/applications`. */
export interface ComponentHealth {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly state: 'RUNNING' | 'STOPPED' | 'DEAD';
  /** Why the component serves with a previous configuration. */
  readonly outdated?: string;
}

/** The checks of a component, in the order of the columns. */
export const CHECKS = ['status', 'connection', 'configuration', 'calls'] as const;

/** A check. */
export type Check = (typeof CHECKS)[number];

/** A component with the results of its checks; checks that do not apply to it are left out. */
export interface HealthRow {
  readonly kind: 'server' | 'service' | 'application' | 'adapter';
  readonly name: string;
  readonly checks: Readonly<Partial<Record<Check, AdapterStatus>>>;
  /** When all checks last passed, in milliseconds since 1970; null if unknown. */
  readonly lastGood: number | null;
  /** Why a check does not pass. */
  readonly why: string | null;
  /** Names of the adapters of a group that fails by one cause; absent for a single component. */
  readonly members?: readonly string[];
}

/** Input of the matrix. */
export interface MatrixInput {
  readonly overview: OverviewReply;
  readonly status: StatusReply;
  readonly applications: readonly ComponentHealth[];
  readonly adapters: readonly ComponentHealth[];
  /** Cells of the last day, by adapter. */
  readonly cells: ReadonlyMap<string, readonly TrafficCell[]>;
  /** Length of these cells, in milliseconds. */
  readonly cellMs: number;
}

/**
 * Returns every component with its checks: gatehouse, its dependencies, its applications, its adapters. Adapters that fail by
 * the same cause are one row.
 */
export function matrixOf(findings: MatrixInput): readonly HealthRow[] {
  const { overview, status, applications, adapters, cells, cellMs } = findings;
  const { now } = overview.server;
  const outdated = new Map(adapters.map((one) => [one.id, one.outdated]));
  const rowOf = (adapter: AdapterStatusView): HealthRow =>
    adapterRow(adapter, {
      now,
      outdated: outdated.get(adapter.name),
      cells: cells.get(adapter.name) ?? [],
      cellMs,
    });
  const groups = overview.problems.filter((problem) => problem.adapters.length > 1);
  const grouped = new Set(groups.flatMap((group) => group.adapters));
  const byName = new Map(overview.adapters.map((adapter) => [adapter.name, adapter]));
  return [
    serverRow(overview),
    ...status.services.map((service) => serviceRow(service, overview)),
    ...applications.map((application) => applicationRow(application, now)),
    ...groups.flatMap((group) =>
      groupRow(
        causeOfIssue(group, overview.adapters),
        group.adapters.flatMap((name) => byName.get(name) ?? []).map(rowOf),
      ),
    ),
    ...overview.adapters.filter(({ name }) => !grouped.has(name)).map(rowOf),
  ];
}

/** Returns one row for the adapters of a problem, or none if the adapters have gone. */
function groupRow(cause: string, rows: readonly HealthRow[]): readonly HealthRow[] {
  const [first] = rows;
  if (!first) return [];
  const times = rows.flatMap(({ lastGood }) => lastGood ?? []);
  return [
    {
      ...first,
      name: text('groupName', { count: rows.length }),
      lastGood: times.length === 0 ? null : Math.min(...times),
      why: cause,
      members: rows.map(({ name }) => name),
    },
  ];
}

function applicationRow({ id, state }: ComponentHealth, now: number): HealthRow {
  const check = stateOf({ state, suspended: null });
  return {
    kind: 'application',
    name: id,
    checks: { status: check },
    lastGood: check.status === 'good' ? now : null,
    why: null,
  };
}

function serverRow({ server, problems }: OverviewReply): HealthRow {
  const checks = {
    status: passOrFail(server.ready, 'ready', 'notReady'),
    configuration: passOrFail(server.configurationUpToDate, 'applied', 'notApplied'),
    calls: callsCheck(server.traffic),
  };
  const issue = problems.find(({ about }) => about.kind === 'configuration');
  const isGood = server.ready && server.configurationUpToDate;
  return {
    kind: 'server',
    name: 'gatehouse',
    checks,
    lastGood: isGood ? server.now : (issue?.since ?? null),
    why: isGood ? null : (issue?.cause ?? null),
  };
}

function serviceRow(
  { service: name, status, reason }: StatusReply['services'][number],
  { server, problems }: OverviewReply,
): HealthRow {
  const issue = problems.find(
    ({ code, about }) =>
      (about.kind === 'service' && about.name === name) || (name === 'vault' && code.startsWith('vault-')),
  );
  const isGood = status === 'running';
  const vaultReason = issue && name === 'vault' ? sentenceOf(issue) : undefined;
  return {
    kind: 'service',
    name,
    checks:
      name === 'configuration'
        ? { configuration: passOrFail(isGood, 'applied', 'refused') }
        : { status: passOrFail(isGood, 'up', 'down') },
    lastGood: isGood ? server.now : (issue?.since ?? null),
    why: isGood ? null : (vaultReason ?? reason ?? issue?.cause ?? null),
  };
}

interface AdapterInput {
  readonly now: number;
  readonly outdated: string | undefined;
  readonly cells: readonly TrafficCell[];
  readonly cellMs: number;
}

function adapterRow(adapter: AdapterStatusView, input: AdapterInput): HealthRow {
  const { outdated } = input;
  const checks = {
    status: stateOf(adapter),
    connection: connectionOf(adapter),
    configuration: passOrFail(outdated === undefined, 'applied', 'previous'),
    calls: callsCheck(adapter.traffic),
  };
  const isBad = Object.values(checks).some(({ status }) => status === 'bad');
  return {
    kind: 'adapter',
    name: adapter.name,
    checks,
    lastGood: isBad ? lastGoodOf(adapter, input) : (adapter.lastOkAt ?? null),
    why: causeOf(adapter) ?? outdated ?? null,
  };
}

/**
 * Returns when the orchestrator was last reached and accepted the login. If it does now, and the calls fail, returns the end of the latest
 * cell with a successful call.
 */
function lastGoodOf(
  { connection, lastOkAt, connectionSince }: AdapterStatusView,
  { cells, cellMs, now }: AdapterInput,
): number | null {
  if (connection === 'OFFLINE' || connection === 'LOGIN_REFUSED') return lastOkAt ?? connectionSince;
  const cell = cells.findLast(({ calls, errors }) => calls > errors);
  return cell ? Math.min(cell.at + cellMs, now) : null;
}

/** Share of errors from which calls count as failing. */
const FAILING_SHARE = 0.2;

/** Share of rejected calls from which they are not ordinary work any more, as statuses such as 404 are. */
const REJECTED_SHARE = 0.5;

function callsCheck({ calls, errors, clientErrors }: Rates): AdapterStatus {
  if (calls === 0) return { status: 'off', word: text('noCalls') };
  if (errors === 0 && clientErrors / calls >= REJECTED_SHARE)
    return { status: 'warning', word: text('rejected', { share: formatShare(clientErrors, calls) }) };
  if (errors === 0) return { status: 'good', word: text('noErrors') };
  const isFailing = errors / calls >= FAILING_SHARE;
  return {
    status: isFailing ? 'bad' : 'warning',
    word: text('errors', { share: formatShare(errors, calls) }),
  };
}

function passOrFail(isGood: boolean, good: PlainKeyOf<'health'>, bad: PlainKeyOf<'health'>): AdapterStatus {
  return isGood ? { status: 'good', word: text(good) } : { status: 'bad', word: text(bad) };
}

const SEVERITY_ORDER = ['bad', 'warning', 'busy', 'good', 'off'] as const;

/** Returns the rank of a component in a list that starts with the worst component. */
export function rowRank({ checks }: HealthRow): number {
  return Math.min(...Object.values(checks).map(({ status }) => SEVERITY_ORDER.indexOf(status)));
}

/** Returns the key of a row. Two groups may have the same size, but no adapter is in both. */
export function rowKeyOf({ kind, name, members = [] }: HealthRow): string {
  return `${kind} ${name} ${members[0] ?? ''}`;
}
