import assert from 'node:assert/strict';
import type { ApplicationInstance } from '../../../src/core/component.js';
import { bindApplication } from '../../../src/core/operation.js';
import type { AdapterInstance, AdapterState, Snapshot } from '../../../src/core/snapshot.js';
import type { UpstreamStatus } from '../../../src/core/upstream.js';
import type { ComponentFacts, HealthDeps } from '../../../src/features/health/deps.js';
import { health } from '../../../src/features/health/operations.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { columns } from '../../support/columns.js';
import { problem } from '../../support/failing.js';
import { operationCall } from '../../support/operation-call.js';
import { policyWith } from '../../support/policy-with.js';

const NOW = 1_700_000_100_500;
const FACTS: ComponentFacts = {
  ...{ packageId: '@acme/gatehouse-nso', version: '1.2.3', description: 'NSO.', routePrefix: 'x' },
  logger: { console: 'info', file: 'none', syslog: 'none' },
};

function adapter(id: string, state: AdapterState, more: Partial<AdapterInstance> = {}): AdapterInstance {
  const since = state.name === 'RUNNING' ? NOW - 2_500 : undefined;
  return {
    id,
    type: 'test',
    state: () => state,
    since: () => since,
    connection: () => ({ state: 'ONLINE', since: 0, reason: 'host nso.example' }),
    open: () => Promise.resolve(),
    ready: () => Promise.reject(new Error('not asked for')),
    close: () => Promise.resolve(),
    ...more,
  };
}

const ADAPTERS = [
  adapter('nso2', { name: 'RUNNING' }),
  adapter('nso1', { name: 'DEAD', cause: 'secret', reason: 'VAULT_DENIED at /auth/password' }),
  adapter('begins', { name: 'STARTING' }),
  adapter('ends', { name: 'STOPPING' }),
  adapter('off', { name: 'STOPPED' }),
];

const APPLICATIONS: readonly ApplicationInstance[] = [
  { name: 'Tools', state: 'RUNNING', since: NOW - 60_000, restarts: 0 },
  { name: 'JsonForms', state: 'STOPPED', since: NOW - 60_000, restarts: 1 },
];

const MEMORY = { rss: 3e9, heapTotal: 2, heapUsed: 1, external: 0, arrayBuffers: 0 };

function depsWith(snapshot: Partial<Snapshot> = {}, more: Partial<HealthDeps> = {}): HealthDeps {
  const live = {
    adapters: new Map(ADAPTERS.map((one) => [one.id, one])),
    access: new Map(ADAPTERS.map(({ id }) => [id, policyWith()])),
    applications: new Map(APPLICATIONS.map((one) => [one.name, one])),
    suspended: new Map([['nso2', 'paused']]),
    outdated: new Map([['nso2', 'nobody there']]),
    ...snapshot,
  } as unknown as Snapshot;
  return {
    lease: (work) => work(live),
    services: () => [{ service: 'store', running: () => Promise.resolve(false) }],
    now: () => NOW,
    host: 'edge-1',
    serverId: 'ab'.repeat(32),
    product: { version: '1.0.0', release: '2023.2', dependencies: { express: '5.3.0' }, since: NOW - 500 },
    describeAdapters: () => () => FACTS,
    describeApplication: () => FACTS,
    proofOf: () => undefined,
    usage: () => ({ memoryUsage: MEMORY, cpuUsage: { user: 5, system: 6 }, pid: 7 }),
    runtime: () => ({ arch: 'x64', platform: 'linux', versions: { node: '22.0.0' } }),
    machine: () => ({}),
    ...more,
  };
}

interface HealthRequest {
  readonly name?: string;
  readonly query?: string;
  /** Absent: an anonymous caller. */
  readonly roles?: readonly string[] | undefined;
}

/** Calls an operation, as an admin unless it names roles. Returns its reply, which must match its schema. */
async function ask(id: string, request: HealthRequest = {}, deps = depsWith()) {
  const { name = '', query = '', roles } = { roles: ['admin'], ...request };
  const operation = bindApplication(health, deps).find(({ row }) => row.id === id)!;
  const principal = roles && { subject: 'ada', issuer: 'test', roles, expiresAt: 4e9 };
  const call = { body: undefined, params: { name }, query: new URLSearchParams(query) };
  const { body } = await operation.handle(operationCall({ ...call, ...(principal && { principal }) }));
  assert.deepEqual(compileSchema(operation.row.reply)(body).violations, []);
  return body as Readonly<Record<string, unknown>>;
}

interface List {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

const list = async (...asked: Parameters<typeof ask>) => (await ask(...asked)) as unknown as List;

describe('GET /health/adapters', () => {
  it('returns the members that clients expect', async () => {
    const { packageId, ...facts } = FACTS;
    assert.deepEqual(await ask('getAdapterHealth', { name: 'nso2', roles: [] }), {
      ...{ id: 'nso2', package_id: packageId, type: 'Adapter', ...facts },
      ...{ state: 'RUNNING', connection: { state: 'ONLINE' }, suspended: 'paused' },
      ...{ uptime: 2.5, prevUptime: 0, timestamp: NOW },
      ...{ memoryUsage: { ...MEMORY, rss: 2_147_483_647 }, cpuUsage: { user: 5, system: 6 }, pid: 7 },
    });
  });

  it('says that the connections of an adapter are not reused, and nothing while they are', async () => {
    const reuseOf = async (connectionReuse: string) => {
      const upstreamStatus = () => ({ connectionReuse }) as UpstreamStatus;
      const nso2 = adapter('nso2', { name: 'RUNNING' }, { upstreamStatus });
      const deps = depsWith({ adapters: new Map([['nso2', nso2]]) });
      return (await ask('getAdapterHealth', { name: 'nso2' }, deps))['connectionReuse'];
    };
    assert.equal(await reuseOf('stopped'), 'stopped');
    assert.equal(await reuseOf('off'), 'off');
    assert.equal(await reuseOf('on'), undefined);
  });

  it('reports adapters that start or stop as STOPPED, a state that clients know', async () => {
    const { results, total } = await list('getAdaptersHealth');
    assert.equal(total, 5);
    assert.deepEqual(columns(results, 'id', 'state', 'uptime', 'reason'), [
      ['begins', 'STOPPED', 0, 'it is still starting'],
      ['ends', 'STOPPED', 0, 'it is being stopped'],
      ['nso1', 'DEAD', 0, 'VAULT_DENIED at /auth/password'],
      ['nso2', 'RUNNING', 2.5, undefined],
      ['off', 'STOPPED', 0, undefined],
    ]);
  });

  it('shows reasons only to administrators and ignores them in searches of other callers', async () => {
    const dead = await ask('getAdapterHealth', { name: 'nso1' });
    assert.equal(dead['reason'], 'VAULT_DENIED at /auth/password');
    assert.equal((await ask('getAdapterHealth', { name: 'nso2' }))['outdated'], 'nobody there');
    const query = 'contains=VAULT&containsField=reason';
    for (const roles of [[], ['viewer']]) {
      const text = JSON.stringify(await ask('getAdaptersHealth', { roles }));
      assert.doesNotMatch(text, /VAULT_DENIED|nobody there|nso\.example/);
      assert.equal((await list('getAdaptersHealth', { roles, query })).total, 0);
    }
    assert.equal((await list('getAdaptersHealth', { query })).total, 1);
  });

  it('reports an uptime of 0 after the clock was set back', async () => {
    const young = adapter('young', { name: 'RUNNING' }, { since: () => NOW + 5 });
    const deps = depsWith({ adapters: new Map([['young', young]]) });
    assert.equal((await ask('getAdapterHealth', { name: 'young' }, deps))['uptime'], 0);
  });

  it('answers an unknown name with a Problem', async () => {
    await assert.rejects(ask('getAdapterHealth', { name: 'x' }), problem('adapter_not_found'));
    const application = ask('getApplicationHealth', { name: 'toString' });
    await assert.rejects(application, problem('application_not_found'));
  });
});

describe('GET /health/applications', () => {
  it('returns the same members as for adapters, without a connection', async () => {
    const { results, total } = await list('getApplicationsHealth');
    assert.equal(total, 2);
    assert.deepEqual(columns(results, 'id', 'type', 'state', 'connection', 'uptime'), [
      ['JsonForms', 'Application', 'STOPPED', null, 0],
      ['Tools', 'Application', 'RUNNING', null, 60],
    ]);
    const one = await ask('getApplicationHealth', { name: 'Tools' });
    assert.deepEqual(one, results[1]);
  });
});

describe('GET /health/server', () => {
  it('reports the release with a number before the last dot', async () => {
    const { release, version, uptime, dependencies, memoryUsage } = await ask('getServerHealth');
    assert.deepEqual([release, version, uptime], ['2023.2.0', '1.0.0', 0.5]);
    assert.deepEqual(dependencies, { express: '5.3.0' });
    assert.deepEqual(memoryUsage, { ...MEMORY, rss: 2_147_483_647 });
  });
});

describe('GET /health/status', () => {
  const healthyDeps = () => depsWith({ adapters: new Map(), outdated: new Map() });

  it('is degraded while an adapter is dead or outdated, and running while an adapter is stopped', async () => {
    const status = async (deps: HealthDeps) => (await ask('getHealthStatus', {}, deps))['adapters'];
    assert.equal(await status(depsWith()), 'degraded');
    assert.equal(await status(healthyDeps()), 'running');
    const outdated = new Map([['nso2', 'nobody there']]);
    assert.equal(await status(depsWith({ adapters: new Map(), outdated })), 'degraded');
    const off = new Map([['off', ADAPTERS[4]!]]);
    assert.equal(await status(depsWith({ adapters: off, outdated: new Map() })), 'running');
  });

  it('finding F17: names no host, no server and no service to a caller without a token, in the same shape', async () => {
    const probed: string[] = [];
    const services = () => [{ service: 'store', running: () => Promise.resolve(probed.push('store') > 0) }];
    const deps = depsWith({}, { services });
    assert.deepEqual(await ask('getHealthStatus', { roles: undefined }, deps), {
      ...{ host: '', serverId: '', serverName: null, services: [] },
      ...{ timestamp: NOW, apps: 'running', adapters: 'degraded' },
    });
    assert.deepEqual(probed, []);
    const { host, serverId, services: reported } = await ask('getHealthStatus', { roles: [] }, deps);
    assert.deepEqual([host, serverId], ['edge-1', 'ab'.repeat(32)]);
    assert.deepEqual(reported, [{ service: 'store', status: 'running' }]);
  });

  it('probes the services unless exclude-services is set', async () => {
    const services = async (query: string) =>
      (await ask('getHealthStatus', { query }, healthyDeps()))['services'];
    assert.deepEqual(await services('exclude-services=true'), []);
    for (const query of ['', 'exclude-services=false', 'exclude-services='])
      assert.deepEqual(await services(query), [{ service: 'store', status: 'failed' }], query);
    const message = /^The query parameter exclude-services must be true or false\.$/;
    await assert.rejects(services('exclude-services=banana'), problem('invalid_request', message));
  });
});
