import { counter, gauge, type Metric } from '../../core/metric.js';
import type { SecretCounts } from '../../secrets/open-secrets.js';
import { sectionOf } from './owners.js';

/** Returns the metrics of reloads of the configuration and of rotated secrets. */
export function reloadMetrics({ files, secrets }: ReloadCounts): readonly Metric[] {
  return [
    counter(
      'gatehouse_config_reload_total',
      'Reloads of the configuration on disk, by result: live, refused.',
      Object.entries(files).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counter(
      'vault_reload_total',
      'Rotated secrets, by result: live (the adapter uses them), failed (the adapter does not work with them).',
      [...secrets].flatMap(([adapter, counts]) =>
        Object.entries(counts).map(([result, value]) => ({ labels: { adapter, result }, value })),
      ),
    ),
  ];
}

/** Results of the reloads so far. */
export interface ReloadCounts {
  /** Configurations on disk that were activated, and that were refused. */
  readonly files: { readonly live: number; readonly refused: number };
  /** By adapterId: rotated secrets that were activated, and those with which the adapter did not work. */
  readonly secrets: ReadonlyMap<string, { readonly live: number; readonly failed: number }>;
}

/** Counts reloads. */
export class ReloadCounter {
  readonly #files = { live: 0, refused: 0 };
  readonly #secrets = new Map<string, { live: number; failed: number }>();

  countFiles(result: 'live' | 'refused'): void {
    this.#files[result] += 1;
  }

  countSecrets(adapterIds: Iterable<string>, result: 'live' | 'failed'): void {
    for (const id of adapterIds) {
      const counts = this.#secrets.get(id) ?? { live: 0, failed: 0 };
      counts[result] += 1;
      this.#secrets.set(id, counts);
    }
  }

  counts(): ReloadCounts {
    return { files: { ...this.#files }, secrets: new Map(this.#secrets) };
  }
}

/** Returns the metrics of secrets and of requests to Vault (secrets specification section 5.7). No label contains a path. */
export function vaultMetrics(secrets: SecretCounts): readonly Metric[] {
  const { staleSeconds, errors } = secrets.status();
  const { requests, tokenSeconds } = secrets.traffic();
  const logins = requests.filter(({ op }) => op === 'login');
  const sum = (counts: typeof requests): number => counts.reduce((total, { count }) => total + count, 0);
  const [succeeded, failed] = [true, false].map((isSuccess) =>
    logins.filter(({ code }) => (code === '200') === isSuccess),
  );
  return [
    counter(
      'vault_requests_total',
      'Requests to Vault, by operation and status.',
      requests.map(({ op, code, count }) => ({ labels: { op, code }, value: count })),
    ),
    counter('vault_login_total', 'Logins to Vault, by result: success, failure.', [
      { labels: { result: 'success' }, value: sum(succeeded ?? []) },
      { labels: { result: 'failure' }, value: sum(failed ?? []) },
    ]),
    gauge(
      'vault_token_ttl_seconds',
      'Remaining lifetime of the Vault token; +Inf for a token that does not expire.',
      tokenSeconds === undefined ? [] : [{ labels: {}, value: tokenSeconds }],
    ),
    gauge(
      'vault_secret_stale_seconds',
      'Time since the last successful read of the oldest secret of an adapter; of the main file if the label is empty.',
      [...staleSeconds].map(([owner, value]) => ({
        labels: { adapter: sectionOf(owner) },
        value,
      })),
    ),
    counter(
      'vault_refresh_errors_total',
      'Failed reads of secrets, by class of the error: unavailable, login, denied, gone, field, other.',
      [...errors].map(([errorClass, value]) => ({ labels: { class: errorClass }, value })),
    ),
  ];
}
