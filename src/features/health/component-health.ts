import { maySeeAdapter } from '../../core/access-decision.js';
import { adapterNotFound, visibleNames } from '../../core/adapter-names.js';
import type { ApplicationInstance } from '../../core/component.js';
import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { proofText, type SecretProof } from '../../core/secret-proof.js';
import {
  type AdapterInstance,
  adapterOf,
  type AdapterState,
  type Snapshot,
  startingReason,
} from '../../core/snapshot.js';
import { listRow, listSchema, NARROW_LIST, queryList } from '../../http/list-query.js';
import { connectionState } from '../lib/observed-schemas.js';
import type { ComponentFacts, HealthDeps, ProcessUsage } from './deps.js';
import { usageReply, usageSchema } from './usage.js';

const text = { type: 'string' } as const;

/** Schema of the health of an adapter or an application (wire section 6.3). */
const componentHealthSchema = {
  title: 'Component health',
  type: 'object',
  required: [
    ...['id', 'package_id', 'version', 'type', 'description', 'routePrefix', 'state', 'connection'],
    ...['uptime', 'memoryUsage', 'cpuUsage', 'pid', 'logger', 'timestamp', 'prevUptime'],
  ],
  properties: {
    id: text,
    package_id: text,
    version: {
      ...text,
      description: 'Version of the plugin: of its changelog, its npm package, or the catalog adapter',
    },
    type: { enum: ['Adapter', 'Application'] },
    description: text,
    routePrefix: text,
    state: { enum: ['RUNNING', 'STOPPED', 'DEAD'], description: 'STOPPED also while it starts or stops' },
    connection: {
      description: 'State of the connection to the orchestrator; null for an application',
      type: ['object', 'null'],
      required: ['state'],
      properties: {
        state: {
          ...connectionState,
          description:
            'Result of the latest call or probe. OFFLINE: no reply, or a probe with a status of 500 or above. LOGIN_REFUSED: the orchestrator answers, and refuses the credentials; only a status below 400 makes it ONLINE again. UNKNOWN: neither a call nor a probe yet',
        },
      },
    },
    uptime: { type: 'number', minimum: 0, description: 'Seconds; 0 if the component is not running' },
    ...usageSchema,
    logger: {
      description: 'Log level of the component by destination; `none` if the destination is not in use',
      type: 'object',
      required: ['console', 'file', 'syslog'],
      properties: { console: text, file: text, syslog: text },
    },
    timestamp: { type: 'integer', description: 'Milliseconds since 1970' },
    prevUptime: { type: 'number' },
    connectionReuse: {
      enum: ['off', 'stopped'],
      description:
        'Present while each request to the orchestrator has a connection of its own: `off` by the setting, `stopped` because the orchestrator dropped several reused connections in a row',
    },
    suspended: {
      enum: ['paused', 'refusing'],
      description: 'Handling of calls during a suspension; absent if not suspended',
    },
    rotatedSecret: {
      type: 'string',
      description:
        'Result of the test of the latest rotated secret, for example: refused with version 3; absent before the first rotation',
    },
    reason: {
      type: 'string',
      description:
        'Reason why the adapter is not running or its orchestrator cannot be used; only for administrators',
    },
    outdated: {
      type: 'string',
      description: 'Reason why the adapter runs with a previous configuration; only for administrators',
    },
  },
} as const;

export const getAdaptersHealth: Operation<HealthDeps> = {
  id: 'getAdaptersHealth',
  summary: 'List the health of the adapters.',
  description: 'Returns one page of the states, connections and resource usage of the adapters.',
  method: 'GET',
  path: '/health/adapters',
  topics: ['adapters'],
  roles: READERS,
  ...listRow,
  reply: listSchema('Health of adapters', componentHealthSchema),
  tool: { changes: false, callsOrchestrators: false, narrow: NARROW_LIST },
  async handle({ query, principal }, deps) {
    const readings = readHealth(deps, principal?.roles);
    const describe = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const visible = [...snapshot.adapters.values()].filter(({ id }) =>
        maySeeAdapter(snapshot.access.get(id), principal),
      );
      const all = visible.map((instance) =>
        adapterHealth(instance, describe(instance), { readings, snapshot, proof: deps.proofOf(instance) }),
      );
      return Promise.resolve(queryList(all, query, { nameOf: ({ id }) => id }));
    });
    return { body };
  },
};

export const getAdapterHealth: Operation<HealthDeps> = {
  id: 'getAdapterHealth',
  summary: 'Get the health of an adapter.',
  description:
    'Returns the state, the connection and the resource usage of an adapter. The reason of a failure is only for administrators.',
  problems: ['adapter_not_found'],
  method: 'GET',
  path: '/health/adapters/:name',
  roles: READERS,
  reply: componentHealthSchema,
  tool: { changes: false, callsOrchestrators: false, narrow: '' },
  async handle({ params, principal }, deps) {
    const readings = readHealth(deps, principal?.roles);
    const describe = deps.describeAdapters();
    const body = await deps.lease((snapshot) => {
      const name = params['name'] ?? '';
      const instance = adapterOf(snapshot, name, principal);
      if (!maySeeAdapter(snapshot.access.get(name), principal))
        throw adapterNotFound(name, visibleNames(snapshot.access, principal));
      const proof = deps.proofOf(instance);
      return Promise.resolve(adapterHealth(instance, describe(instance), { readings, snapshot, proof }));
    });
    return { body };
  },
};

export const getApplicationsHealth: Operation<HealthDeps> = {
  id: 'getApplicationsHealth',
  summary: 'List the health of the applications.',
  description: 'Returns one page of the states and the resource usage of the applications.',
  method: 'GET',
  path: '/health/applications',
  topics: ['adapters'],
  roles: READERS,
  ...listRow,
  reply: listSchema('Health of applications', componentHealthSchema),
  async handle({ query }, deps) {
    const readings = readHealth(deps);
    const all = await deps.lease(({ applications }) => Promise.resolve([...applications.values()]));
    const reported = all.map((application) =>
      applicationHealth(application, deps.describeApplication(application), readings),
    );
    return { body: queryList(reported, query, { nameOf: ({ id }) => id }) };
  },
};

export const getApplicationHealth: Operation<HealthDeps> = {
  id: 'getApplicationHealth',
  summary: 'Get the health of an application.',
  description: 'Returns the state and the resource usage of an application.',
  problems: ['application_not_found'],
  method: 'GET',
  path: '/health/applications/:name',
  roles: READERS,
  reply: componentHealthSchema,
  async handle({ params: { name = '' } }, deps) {
    const application = await deps.lease(({ applications }) => Promise.resolve(applications.get(name)));
    if (!application) throw new Problem('application_not_found', `there is no application "${name}"`);
    return { body: applicationHealth(application, deps.describeApplication(application), readHealth(deps)) };
  },
};

/** Values that all components of one reply share. */
interface HealthReadings {
  readonly now: number;
  readonly usage: ProcessUsage;
  /** True if the reply includes reasons, which may name hosts and paths of secrets. */
  readonly forAdmin: boolean;
}

/** Reads the time and the usage of the process once, for all components of a reply. */
function readHealth({ now, usage }: HealthDeps, roles: readonly string[] = []): HealthReadings {
  return { now: now(), usage: usageReply(usage()), forAdmin: roles.includes('admin') };
}

function adapterHealth(instance: AdapterInstance, facts: ComponentFacts, context: AdapterContext) {
  const { readings, snapshot, proof } = context;
  const { id } = instance;
  const state = instance.state();
  const suspended = snapshot.suspended.get(id);
  const outdated = snapshot.outdated.get(id);
  const { connectionReuse = 'on' } = instance.upstreamStatus?.() ?? {};
  const reason = state.name === 'STOPPED' ? facts.stopReason : reasonOf(instance);
  return {
    ...healthOf(
      { id, type: 'Adapter', state: REPORTED_STATES[state.name], since: instance.since() },
      facts,
      readings,
    ),
    connection: { state: instance.connection().state },
    ...(connectionReuse !== 'on' && { connectionReuse }),
    ...(suspended && { suspended }),
    ...(proof && { rotatedSecret: proofText(proof) }),
    ...(readings.forAdmin && reason !== undefined && { reason }),
    ...(readings.forAdmin && outdated !== undefined && { outdated }),
  };
}

/** Readings and snapshot for the health of an adapter. */
interface AdapterContext {
  readonly readings: HealthReadings;
  readonly snapshot: Snapshot;
  readonly proof: SecretProof | undefined;
}

/** Returns the health object of an application, which has no connection. */
function applicationHealth(instance: ApplicationInstance, facts: ComponentFacts, readings: HealthReadings) {
  const { name, state, since } = instance;
  const isRunning = state === 'RUNNING';
  return {
    ...healthOf(
      { id: name, type: 'Application', state, since: isRunning ? since : undefined },
      facts,
      readings,
    ),
    connection: null,
  };
}

/** States that clients know, by internal state. An adapter that is starting or stopping does not serve. */
const REPORTED_STATES = {
  STARTING: 'STOPPED',
  RUNNING: 'RUNNING',
  STOPPING: 'STOPPED',
  STOPPED: 'STOPPED',
  DEAD: 'DEAD',
} as const satisfies Record<AdapterState['name'], string>;

/** Returns why an adapter does not run, or why its orchestrator cannot be used; undefined if neither is known. */
function reasonOf(instance: AdapterInstance): string | undefined {
  const state = instance.state();
  if (state.name === 'DEAD') return state.reason;
  if (state.name === 'STARTING') return startingReason(state);
  if (state.name === 'STOPPING') return 'it is being stopped';
  const connection = instance.connection();
  return connection.state === 'ONLINE' ? undefined : connection.reason;
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
    // The system clock may be set back; an uptime must not be negative.
    uptime: since === undefined ? 0 : Math.max(0, now - since) / 1000,
    ...usage,
    logger,
    timestamp: now,
    // The uptime of an earlier process is not known.
    prevUptime: 0,
  };
}
