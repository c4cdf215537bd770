import { failure, type DoubleReply } from './replies.js';
import type { Json, VaultDoubleState } from './world.js';

/** `GET|HEAD sys/health`: the first state that holds, in Vault's order, decides the status. */
export function health(world: VaultDoubleState, method: string, query: URLSearchParams): DoubleReply {
  if (method !== 'GET' && method !== 'HEAD') return failure(405);
  const state = stateOf(world);
  if (state.override !== undefined && query.has(state.override)) {
    const status = Number(query.get(state.override));
    return Number.isInteger(status) ? { status, body: report(world) } : failure(400);
  }
  const accepted = state.accepted !== undefined && query.get(state.accepted) === 'true';
  return { status: accepted ? 200 : state.status, body: report(world) };
}

interface HealthState {
  readonly status: number;
  readonly override?: string;
  /** Query parameter that makes the state as good as active. */
  readonly accepted?: string;
}

function stateOf(world: VaultDoubleState): HealthState {
  const enterprise = world.flavour === 'vault';
  if (!world.initialized) return { status: 501, override: 'uninitcode' };
  if (world.sealed) return { status: 503, override: 'sealedcode' };
  if (world.drSecondary && enterprise) return { status: 472, override: 'drsecondarycode' };
  if (world.performanceStandby && enterprise)
    return { status: 473, override: 'performancestandbycode', accepted: 'perfstandbyok' };
  if (world.standby) return { status: 429, override: 'standbycode', accepted: 'standbyok' };
  return { status: 200, override: 'activecode' };
}

function report(world: VaultDoubleState): Json {
  const up = world.initialized && !world.sealed;
  const mode = up ? 'disabled' : 'unknown';
  return {
    initialized: world.initialized,
    sealed: world.sealed || !world.initialized,
    standby: !up || world.standby !== null || world.performanceStandby,
    ...(world.flavour === 'vault' && { performance_standby: up && world.performanceStandby }),
    replication_performance_mode: mode,
    replication_dr_mode: up && world.drSecondary ? 'secondary' : mode,
    server_time_utc: Math.floor(world.now() / 1000),
    version: world.flavour === 'vault' ? '1.17.2' : '2.6.2',
    ...(up && { cluster_name: 'vault-cluster-double', cluster_id: '00af5aa8-0000-4000-8000-000000000000' }),
  };
}
