import type { AdapterPicture, OverviewReply, Rates, TrafficCell } from '../../api/observe.js';
import { shareWords } from '../../kit/numbers.js';
import { connectionOf, type AdapterStatus, stateOf } from '../adapters/status.js';

/** What `GET /health/status` tells, as far as the page looks at it. */
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
  /** Why it serves in a former form. */
  readonly outdated?: string;
}

/** What is looked at of a component, in the order of the columns. */
export const CHECKS = ['Runs', 'Reachable', 'Configuration', 'Calls'] as const;

/** A check. */
export type Check = (typeof CHECKS)[number];

/** A component and how its checks came out; one that makes no sense for it is left out. */
export interface HealthRow {
  readonly kind: 'server' | 'service' | 'application' | 'adapter';
  readonly name: string;
  readonly checks: Readonly<Partial<Record<Check, AdapterStatus>>>;
  /** When all checks were last good, in milliseconds since 1970; null: not known. */
  readonly lastGood: number | null;
  /** Why one is not good. */
  readonly why: string | null;
}

/** What the matrix is made from. */
export interface Findings {
  readonly overview: OverviewReply;
  readonly status: StatusReply;
  readonly applications: readonly ComponentHealth[];
  readonly adapters: readonly ComponentHealth[];
  /** Cells of the last day, by adapter. */
  readonly cells: ReadonlyMap<string, readonly TrafficCell[]>;
}

/** Every component with its checks: gatehouse, what it depends on, its applications, its adapters. */
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
    Configuration: standing(server.configurationUpToDate, 'up to date', 'not taken up'),
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
        : { Reachable: standing(isGood, 'answers', 'does not answer') },
    lastGood: isGood ? server.now : (trouble?.since ?? null),
    why: isGood ? null : (trouble?.cause ?? null),
  };
}

interface AdapterFindings {
  readonly now: number;
  readonly outdated: string | undefined;
  readonly cells: readonly TrafficCell[];
}

function adapterRow(adapter: AdapterPicture, { now, outdated, cells }: AdapterFindings): HealthRow {
  const checks = {
    Runs: stateOf(adapter),
    Reachable: connectionOf(adapter),
    Configuration: standing(outdated === undefined, 'in effect', 'former form'),
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

/** Until when it was reached; else the end of the latest five minutes in which a call went well. */
function lastGoodOf(
  { connection, connectionSince }: AdapterPicture,
  cells: readonly TrafficCell[],
  now: number,
): number | null {
  if (connection === 'OFFLINE' && connectionSince !== null) return connectionSince;
  const cell = cells.findLast(({ calls, errors }) => calls > errors);
  return cell ? Math.min(cell.at + CELL_MS, now) : null;
}

const CELL_MS = 300_000;

/** From this share of errors on calls are counted as failing. */
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

/** Place of a component in a list that has the worst first. */
export function rowRank({ checks }: HealthRow): number {
  return Math.min(...Object.values(checks).map(({ status }) => ORDER.indexOf(status)));
}
