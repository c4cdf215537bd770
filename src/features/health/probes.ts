import type { IssuerMonitor } from '../../auth/issuer-monitor.js';
import type { IssuerState } from '../../core/login.js';
import { type Scheduler, elapsedSince } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';
import { describeVault, vaultViewOf, secretFilesProblem } from '../../secrets/condition.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import type { SecretStoreSettings } from '../../settings/secret-files.js';
import type { Settings } from '../../settings/settings.js';
import type { CountedAuditTrail } from '../audit/audit-trail.js';
import type { CallerLimits } from '../limits/caller-limits.js';
import type { PlatformDeps } from '../platform/operations.js';
import type { Store } from '../store.js';
import type { CertificateMonitor } from './certificate-monitor.js';
import type { HealthDeps, ServiceProbe } from './deps.js';

/** Components whose state the services report. */
interface ProbesInput {
  readonly settings: Settings;
  readonly limits: CallerLimits;
  readonly store: Store;
  readonly secrets: Pick<SecretSource, 'vaultState' | 'inUse'>;
  readonly reloader: ConfigReloader;
  readonly audit: CountedAuditTrail;
  readonly clock: Scheduler;
}

/** Returns the probes of the services that the server depends on. */
export function probesOf(
  input: ProbesInput,
  {
    issuers,
    certificates,
  }: {
    readonly issuers: IssuerMonitor;
    readonly certificates: CertificateMonitor;
  },
): Pick<HealthDeps, 'services'> & Pick<PlatformDeps, 'isAuditWritable' | 'hasSpace'> {
  const { settings, limits, store, secrets, reloader, audit, clock } = input;
  const probe = (service: string, isRunning: () => boolean): ServiceProbe => ({
    service,
    running: () => Promise.resolve(isRunning()),
  });
  const isStoreRunning = cachedProbe(clock, () => store.recentAudit(1));
  const hasSpace = cachedProbe(clock, () => store.requireSpace());
  const isTrailStored = settings.audit.durability === 'store';
  const isAuditWritable = async (): Promise<boolean> =>
    (!isTrailStored || (await isStoreRunning())) && (await audit.writable());
  const fixed = [
    { service: 'store', running: isStoreRunning },
    { service: 'audit', running: isAuditWritable },
    probe('configuration', reloader.isUpToDate),
    { ...probe('certificates', () => certificates.problem() === undefined), reason: certificates.problem },
    ...(settings.vault
      ? [
          {
            ...probe('vault', () => secrets.vaultState() === 'running'),
            reason: vaultReason(settings.vault),
          },
        ]
      : []),
    ...secretFilesProbe(settings.secrets, secrets),
  ];
  function vaultReason({ refresh }: NonNullable<Settings['vault']>): () => string {
    return () => {
      const terms = { now: clock.now(), maxStaleSeconds: refresh.maxStaleSeconds };
      return describeVault(vaultViewOf(secrets.inUse(), terms));
    };
  }
  const issuerProbe = ({ issuer, state, reason }: IssuerState): ServiceProbe => ({
    ...probe(`issuer ${issuer}`, () => state !== 'failed'),
    reason: () => reason,
  });
  const limitsProbe = {
    ...probe('limits', () => limits.status().shared !== 'share'),
    reason: () =>
      'the database does not answer, so this node applies its share of the limits of callers by itself',
  };
  return {
    services: () => [
      ...fixed,
      ...(store.limitCounts && limits.status().limits.length > 0 ? [limitsProbe] : []),
      ...issuers.states().map(issuerProbe),
    ],
    isAuditWritable,
    hasSpace,
  };
}

/** Returns the probe of the files of secrets; none if no folder is configured. */
function secretFilesProbe(
  { files }: SecretStoreSettings,
  secrets: Pick<SecretSource, 'inUse'>,
): readonly ServiceProbe[] {
  if (!files) return [];
  const reason = (): string | undefined => secretFilesProblem(secrets.inUse());
  const running = (): Promise<boolean> => Promise.resolve(reason() === undefined);
  return [{ service: 'secret files', running, reason }];
}

/**
 * Time in milliseconds for which a probe result is reused, because public clients request it without limit.
 */
const PROBE_INTERVAL_MS = 1_000;

/**
 * Timeout of a probe in milliseconds, after which the service counts as failed. Load balancers usually wait
 * no longer.
 */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Returns a function that reports whether a service answers. It probes the service at most once a second and
 * never while another probe is pending. A probe that takes too long counts as failed and blocks no caller.
 */
export function cachedProbe(scheduler: Scheduler, probe: () => Promise<unknown>): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let isPending = false;

  function startProbe(): Promise<boolean> {
    isPending = true;
    const answer = succeeds(probe()).finally(() => {
      isPending = false;
    });
    return withTimeout(answer, { ms: PROBE_TIMEOUT_MS, scheduler, late: () => false });
  }

  return () => {
    if (!last || (!isPending && elapsedSince(scheduler, last.at) >= PROBE_INTERVAL_MS))
      last = { at: scheduler.now(), answer: startProbe() };
    return last.answer;
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
