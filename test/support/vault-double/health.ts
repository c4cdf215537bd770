import { failure, type DoubleReply } from './replies.js';
import type { Json, VaultDoubleState } from './state.js';

/** `GET|HEAD sys/health`: the first state that holds, in Vault's order, decides the status. */
export function health(vaultState: VaultDoubleState, method: string, query: URLSearchParams): DoubleReply {
  if (method !== 'GET' && method !== 'HEAD') return failure(405);
  const state = stateOf(vaultState);
  if (state.override !== undefined && query.has(state.override)) {
    const status = Number(query.get(state.override));
    return Number.isInteger(status) ? { status, body: report(vaultState) } : failure(400);
  }
  const accepted = state.accepted !== undefined && query.get(state.accepted) === 'true';
  return { status: accepted ? 200 : state.status, body: report(vaultState) };
}

interface HealthState {
  readonly status: number;
  readonly override?: string;
  /** Query parameter that makes the state as good as active. */
  readonly accepted?: string;
}

function stateOf(vaultState: VaultDoubleState): HealthState {
  const enterprise = vaultState.flavour === 'vault';
  if (!vaultState.initialized) return { status: 501, override: 'uninitcode' };
  if (vaultState.sealed) return { status: 503, override: 'sealedcode' };
  if (vaultState.drSecondary && enterprise) return { status: 472, override: 'drsecondarycode' };
  if (vaultState.performanceStandby && enterprise)
    return { status: 473, override: 'performancestandbycode', accepted: 'perfstandbyok' };
  if (vaultState.standby) return { status: 429, override: 'standbycode', accepted: 'standbyok' };
  return { status: 200, override: 'activecode' };
}

function report(vaultState: VaultDoubleState): Json {
  const up = vaultState.initialized && !vaultState.sealed;
  const mode = up ? 'disabled' : 'unknown';
  return {
    initialized: vaultState.initialized,
    sealed: vaultState.sealed || !vaultState.initialized,
    standby: !up || vaultState.standby !== null || vaultState.performanceStandby,
    ...(vaultState.flavour === 'vault' && { performance_standby: up && vaultState.performanceStandby }),
    replication_performance_mode: mode,
    replication_dr_mode: up && vaultState.drSecondary ? 'secondary' : mode,
    server_time_utc: Math.floor(vaultState.now() / 1000),
    version: vaultState.flavour === 'vault' ? '1.17.2' : '2.6.2',
    ...(up && { cluster_name: 'vault-cluster-double', cluster_id: '00af5aa8-0000-4000-8000-000000000000' }),
  };
}
