import { counter, gauge, type Metric } from '../../core/metric.js';
import { sectionOf } from './owners.js';
import type { SecretSource } from '../../vault/open-secrets.js';

/** How the secrets stand and what went on with Vault (secrets specification section 5.7); no label has a path in it. */
export function vaultMetrics(secrets: Pick<SecretSource, 'status' | 'traffic'>): readonly Metric[] {
  const { staleSeconds, errors } = secrets.status();
  const { requests, tokenSeconds } = secrets.traffic();
  const logins = requests.filter(({ op }) => op === 'login');
  const sum = (counts: typeof requests): number => counts.reduce((total, { count }) => total + count, 0);
  const [succeeded, failed] = [true, false].map((good) =>
    logins.filter(({ code }) => (code === '200') === good),
  );
  return [
    counter(
      'vault_requests_total',
      'Requests to Vault, by what was asked for and how that ended.',
      requests.map(({ op, code, count }) => ({ labels: { op, code }, value: count })),
    ),
    counter('vault_login_total', 'Logins to Vault.', [
      { labels: { result: 'success' }, value: sum(succeeded ?? []) },
      { labels: { result: 'failure' }, value: sum(failed ?? []) },
    ]),
    gauge(
      'vault_token_ttl_seconds',
      'What the token for Vault has left; +Inf for one that never ends.',
      tokenSeconds === undefined ? [] : [{ labels: {}, value: tokenSeconds }],
    ),
    gauge(
      'vault_secret_stale_seconds',
      'Age of the last good read of the oldest secret of an adapter; of the main file where the label is empty.',
      [...staleSeconds].map(([owner, value]) => ({
        labels: { adapter: sectionOf(owner) },
        value,
      })),
    ),
    counter(
      'vault_refresh_errors_total',
      'Looks at secrets that failed, by class.',
      [...errors].map(([found, value]) => ({ labels: { class: found }, value })),
    ),
  ];
}
