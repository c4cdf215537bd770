import type { ApplicationInstance } from '../../core/component.js';
import type { AdapterInstance, AdapterState, Snapshot } from '../../core/snapshot.js';
import type { ComponentFacts, HealthDeps, ProcessUsage } from './deps.js';
import { usageReply, usageSchema } from './usage.js';

const text = { type: 'string' } as const;

/** How an adapter or an application stands (wire section 6.3). */
export const componentSchema = {
  type: 'object',
  required: [
    ...['id', 'package_id', 'version', 'type', 'description', 'routePrefix', 'state', 'connection'],
    ...['uptime', 'memoryUsage', 'cpuUsage', 'pid', 'logger', 'timestamp', 'prevUptime'],
  ],
  properties: {
    id: text,
    package_id: text,
    version: text,
    type: { enum: ['Adapter', 'Application'] },
    description: text,
    routePrefix: text,
    state: { enum: ['RUNNING', 'STOPPED', 'DEAD'] },
    connection: {
      description: 'Of an adapter: whether its orchestrator can be reached',
      type: ['object', 'null'],
      required: ['state'],
      properties: { state: { enum: ['ONLINE', 'OFFLINE', 'UNKNOWN'] } },
    },
    uptime: { type: 'number', minimum: 0, description: 'Seconds; 0 while it does not run' },
    ...usageSchema,
    logger: {
      description: 'Levels of its log lines, by where they go',
      type: 'object',
      required: ['console', 'file', 'syslog'],
      properties: { console: text, file: text, syslog: text },
    },
    timestamp: { type: 'integer', description: 'Milliseconds since 1970' },
    prevUptime: { type: 'number' },
    suspended: { enum: ['paused', 'refusing'], description: 'What happens to its calls meanwhile' },
    reason: { type: 'string', description: 'Why it is not running; for administrators' },
    outdated: { type: 'string', description: 'Why it serves in a former form; for administrators' },
  },
} as const;

/** What one answer is told of: when, for whom, and what the process uses then. */
export interface HealthReadings {
  readonly now: number;
  readonly usage: ProcessUsage;
  /** True tells reasons, which may name hosts and places of secrets. */
  readonly forAdmin: boolean;
}

/** Looks once, for however many components. */
export function collectHealth(
  { now, usage }: Pick<HealthDeps, 'now' | 'usage'>,
  roles: readonly string[] = [],
): HealthReadings {
  return { now: now(), usage: usageReply(usage()), forAdmin: roles.includes('admin') };
}

/** The health object of an adapter. */
export function adapterHealth(instance: AdapterInstance, facts: ComponentFacts, context: AdapterContext) {
  const { look, snapshot } = context;
  const { id } = instance;
  const state = instance.state();
  const suspended = snapshot.suspended.get(id);
  const outdated = snapshot.outdated.get(id);
  const reason = reasonOf(state);
  return {
    ...healthOf({ id, type: 'Adapter', state: STATES[state.name], since: instance.since() }, facts, look),
    connection: { state: instance.connection().state },
    ...(suspended && { suspended }),
    ...(look.forAdmin && reason !== undefined && { reason }),
    ...(look.forAdmin && outdated !== undefined && { outdated }),
  };
}

/** What the health of an adapter is told from. */
export interface AdapterContext {
  readonly look: HealthReadings;
  readonly snapshot: Snapshot;
}

/** The health object of an application; it has no connection of its own. */
export function applicationHealth(
  instance: ApplicationInstance,
  facts: ComponentFacts,
  look: HealthReadings,
) {
  const { name, state, since } = instance;
  const isRunning = state === 'RUNNING';
  return {
    ...healthOf({ id: name, type: 'Application', state, since: isRunning ? since : undefined }, facts, look),
    connection: null,
  };
}

/** Clients know no other states; what is on its way between two does not serve. */
const STATES = {
  STARTING: 'STOPPED',
  RUNNING: 'RUNNING',
  STOPPING: 'STOPPED',
  STOPPED: 'STOPPED',
  DEAD: 'DEAD',
} as const satisfies Record<AdapterState['name'], string>;

function reasonOf(state: AdapterState): string | undefined {
  if (state.name === 'DEAD') return state.reason;
  if (state.name === 'STARTING') return 'it has not started yet';
  return state.name === 'STOPPING' ? 'it is being stopped' : undefined;
}

interface ComponentStatus {
  readonly id: string;
  readonly type: 'Adapter' | 'Application';
  readonly state: 'RUNNING' | 'STOPPED' | 'DEAD';
  readonly since: number | undefined;
}

function healthOf(
  { id, type, state, since }: ComponentStatus,
  facts: ComponentFacts,
  { now, usage }: HealthReadings,
) {
  const { packageId, version, description, routePrefix, logger } = facts;
  return {
    id,
    package_id: packageId,
    version,
    type,
    description,
    routePrefix,
    state,
    // A clock that was set back makes nothing younger than new.
    uptime: since === undefined ? 0 : Math.max(0, now - since) / 1000,
    ...usage,
    logger,
    timestamp: now,
    // Nothing is known of an earlier process.
    prevUptime: 0,
  };
}
