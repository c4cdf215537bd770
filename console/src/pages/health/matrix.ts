import type { AdapterStatusView, OverviewReply, Rates, TrafficCell } from '../../api/observe.js';
import { shareWords } from '../../kit/numbers.js';
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
export interface Findings {
  readonly overview: OverviewReply;
  readonly status: StatusReply;
  readonly applications: readonly ComponentHealth[];
  readonly adapters: readonly ComponentHealth[];
  /** Cells of the last day, by adapter. */
  readonly cells: ReadonlyMap<string, readonly TrafficCell[]>;
}

/** Returns every component with its checks: gatehouse, its dependencies, its applications, its adapters. */
export function matrixOf(findings: Findings): readonly HealthRow[] {
  const { overview, status, applications, adapters, cells } = findings;
  const { now } = overview.server;
  const outdated = new Map(adapters.map((one) => [one.id, one.outdated]));
  return [
    serverRow(overview),
    ...status.services.map(({ service, status: said }) => serviceRow(service, said, overview)),
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
      }),
    ),
  ];
}

function serverRow({ server, problems }: OverviewReply): HealthRow {
  const checks = {
    Runs: standing(server.ready, 'ready', 'not ready'),
    Configuration: standing(server.configurationUpToDate, 'up to date', 'not applied'),
    Calls: callsOf(server.traffic),
  };
  const trouble = problems.find(({ about }) => about.kind === 'configuration');
  const isGood = server.ready && server.configurationUpToDate;
  return {
    kind: 'server',
    name: 'gatehouse',
    checks,
    lastGood: isGood ? server.now : (trouble?.since ?? null),
    why: isGood ? null : (trouble?.cause ?? null),
  };
}

function serviceRow(
  name: string,
  said: 'running' | 'failed',
  { server, problems }: OverviewReply,
): HealthRow {
  const trouble = problems.find(({ about }) => about.kind === 'service' && about.name === name);
  const isGood = said === 'running';
  return {
    kind: 'service',
    name,
    checks:
      name === 'configuration'
        ? { Configuration: standing(isGood, 'up to date', 'refused') }
        : { Reachable: standing(isGood, 'reachable', 'not reachable') },
    lastGood: isGood ? server.now : (trouble?.since ?? null),
    why: isGood ? null : (trouble?.cause ?? null),
  };
}

interface AdapterFindings {
  readonly now: number;
  readonly outdated: string | undefined;
  readonly cells: readonly TrafficCell[];
}

function adapterRow(adapter: AdapterStatusView, { now, outdated, cells }: AdapterFindings): HealthRow {
  const checks = {
    Runs: stateOf(adapter),
    Reachable: connectionOf(adapter),
    Configuration: standing(outdated === undefined, 'in effect', 'previous version'),
    Calls: callsOf(adapter.traffic),
  };
  const isBad = Object.values(checks).some(({ status }) => status === 'bad');
  return {
    kind: 'adapter',
    name: adapter.name,
    checks,
    lastGood: isBad ? lastGoodOf(adapter, cells, now) : adapter.state === 'RUNNING' ? now : null,
    why: adapter.cause ?? outdated ?? null,
  };
}

/**
 * Returns until when the orchestrator was reachable; otherwise the end of the latest five minutes with a
 * successful call.
 */
function lastGoodOf(
  { connection, connectionSince }: AdapterStatusView,
  cells: readonly TrafficCell[],
  now: number,
): number | null {
  if (connection === 'OFFLINE' && connectionSince !== null) return connectionSince;
  const cell = cells.findLast(({ calls, errors }) => calls > errors);
  return cell ? Math.min(cell.at + CELL_MS, now) : null;
}

const CELL_MS = 300_000;

/** Share of errors from which calls count as failing. */
const FAILING = 0.2;

function callsOf({ perMinute, errorsPerMinute }: Rates): AdapterStatus {
  if (perMinute === 0) return { status: 'off', word: 'no calls' };
  if (errorsPerMinute === 0) return { status: 'good', word: 'no errors' };
  const isFailing = errorsPerMinute / perMinute >= FAILING;
  return { status: isFailing ? 'bad' : 'warning', word: `${shareWords(errorsPerMinute, perMinute)} errors` };
}

function standing(isGood: boolean, good: string, bad: string): AdapterStatus {
  return isGood ? { status: 'good', word: good } : { status: 'bad', word: bad };
}

const ORDER = ['bad', 'warning', 'busy', 'good', 'off'] as const;

/** Returns the position of a component in a list with the worst one first. */
export function rowRank({ checks }: HealthRow): number {
  return Math.min(...Object.values(checks).map(({ status }) => ORDER.indexOf(status)));
}
