import type { AdapterStatusView, OverviewReply, Rates, TrafficCell } from '../../api/observe.js';
import { formatShare } from '../../kit/numbers.js';
import { connectionOf, type AdapterStatus, stateOf } from '../adapters/status.js';

/** The parts of `GET /health/status` that the page uses. */
export interface StatusReply {
  readonly host: string;
  readonly serverId: string;
  readonly services: readonly { readonly service: string; readonly status: 'running' | 'failed' }[];
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
export const CHECKS = ['Runs', 'Reachable', 'Configuration', 'Calls'] as const;

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

/** Returns every component with its checks: gatehouse, its dependencies, its applications, its adapters. */
export function matrixOf(findings: MatrixInput): readonly HealthRow[] {
  const { overview, status, applications, adapters, cells, cellMs } = findings;
  const { now } = overview.server;
  const outdated = new Map(adapters.map((one) => [one.id, one.outdated]));
  return [
    serverRow(overview),
    ...status.services.map(({ service, status: serviceStatus }) =>
      serviceRow(service, serviceStatus, overview),
    ),
    ...applications.map(({ id, state }): HealthRow => {
      const runs = stateOf({ state, suspended: null });
      return {
        kind: 'application',
        name: id,
        checks: { Runs: runs },
        lastGood: runs.status === 'good' ? now : null,
        why: null,
      };
    }),
    ...overview.adapters.map((adapter) =>
      adapterRow(adapter, {
        now,
        outdated: outdated.get(adapter.name),
        cells: cells.get(adapter.name) ?? [],
        cellMs,
      }),
    ),
  ];
}

function serverRow({ server, problems }: OverviewReply): HealthRow {
  const checks = {
    Runs: passOrFail(server.ready, 'ready', 'not ready'),
    Configuration: passOrFail(server.configurationUpToDate, 'up to date', 'not applied'),
    Calls: callsCheck(server.traffic),
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
  name: string,
  serviceStatus: 'running' | 'failed',
  { server, problems }: OverviewReply,
): HealthRow {
  const issue = problems.find(({ about }) => about.kind === 'service' && about.name === name);
  const isGood = serviceStatus === 'running';
  return {
    kind: 'service',
    name,
    checks:
      name === 'configuration'
        ? { Configuration: passOrFail(isGood, 'up to date', 'refused') }
        : { Reachable: passOrFail(isGood, 'reachable', 'not reachable') },
    lastGood: isGood ? server.now : (issue?.since ?? null),
    why: isGood ? null : (issue?.cause ?? null),
  };
}

interface AdapterInput {
  readonly now: number;
  readonly outdated: string | undefined;
  readonly cells: readonly TrafficCell[];
  readonly cellMs: number;
}

function adapterRow(adapter: AdapterStatusView, input: AdapterInput): HealthRow {
  const { now, outdated } = input;
  const checks = {
    Runs: stateOf(adapter),
    Reachable: connectionOf(adapter),
    Configuration: passOrFail(outdated === undefined, 'in effect', 'previous version'),
    Calls: callsCheck(adapter.traffic),
  };
  const isBad = Object.values(checks).some(({ status }) => status === 'bad');
  return {
    kind: 'adapter',
    name: adapter.name,
    checks,
    lastGood: isBad ? lastGoodOf(adapter, input) : adapter.state === 'RUNNING' ? now : null,
    why: adapter.cause ?? outdated ?? null,
  };
}

/**
 * Returns the time when the orchestrator became unreachable. If the orchestrator is reachable, returns the
 * end of the latest cell with a successful call.
 */
function lastGoodOf(
  { connection, connectionSince }: AdapterStatusView,
  { cells, cellMs, now }: AdapterInput,
): number | null {
  if (connection === 'OFFLINE' && connectionSince !== null) return connectionSince;
  const cell = cells.findLast(({ calls, errors }) => calls > errors);
  return cell ? Math.min(cell.at + cellMs, now) : null;
}

/** Share of errors from which calls count as failing. */
const FAILING_SHARE = 0.2;

function callsCheck({ perMinute, errorsPerMinute }: Rates): AdapterStatus {
  if (perMinute === 0) return { status: 'off', word: 'no calls' };
  if (errorsPerMinute === 0) return { status: 'good', word: 'no errors' };
  const isFailing = errorsPerMinute / perMinute >= FAILING_SHARE;
  return { status: isFailing ? 'bad' : 'warning', word: `${formatShare(errorsPerMinute, perMinute)} errors` };
}

function passOrFail(isGood: boolean, good: string, bad: string): AdapterStatus {
  return isGood ? { status: 'good', word: good } : { status: 'bad', word: bad };
}

const SEVERITY_ORDER = ['bad', 'warning', 'busy', 'good', 'off'] as const;

/** Returns the rank of a component in a list that starts with the worst component. */
export function rowRank({ checks }: HealthRow): number {
  return Math.min(...Object.values(checks).map(({ status }) => SEVERITY_ORDER.indexOf(status)));
}
