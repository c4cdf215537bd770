import type { ApplicationInstance } from '../../core/component.js';
import type { AdapterInstance, AdapterState, Snapshot } from '../../core/snapshot.js';
import type { ComponentFacts, HealthDeps, ProcessUsage } from './deps.js';
import { usageReply, usageSchema } from './usage.js';

const text = { type: 'string' } as const;

/** Schema of the health of an adapter or an application (wire section 6.3). */
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

/** Values that all components of one reply share. */
export interface HealthReadings {
  readonly now: number;
  readonly usage: ProcessUsage;
  /** True includes reasons, which may name hosts and paths of secrets. */
  readonly forAdmin: boolean;
}

/** Reads the time and the usage of the process once, for any number of components. */
export function collectHealth(
  { now, usage }: Pick<HealthDeps, 'now' | 'usage'>,
  roles: readonly string[] = [],
): HealthReadings {
  return { now: now(), usage: usageReply(usage()), forAdmin: roles.includes('admin') };
}

/** Returns the health object of an adapter. */
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

/** Readings and snapshot for the health of an adapter. */
export interface AdapterContext {
  readonly look: HealthReadings;
  readonly snapshot: Snapshot;
}

/** Returns the health object of an application, which has no connection. */
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

/** States that clients know, by internal state; an adapter in transition does not serve. */
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
    // A system clock that is set back must not result in a negative uptime.
    uptime: since === undefined ? 0 : Math.max(0, now - since) / 1000,
    ...usage,
    logger,
    timestamp: now,
    // The uptime of an earlier process is not known.
    prevUptime: 0,
  };
}
