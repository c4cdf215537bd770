import {
  certificateFields,
  type CertificateInUse,
  identityOf,
  judgeCertificates,
  type CertificateFile,
} from '../../core/certificate.js';
import type { Log } from '../../core/log.js';
import { gauge, type Metric, type Sample } from '../../core/metric.js';
import type { Scheduler } from '../../lib/clock.js';
import { withFix } from '../../lib/sentence.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';

/** Interval of the checks, in milliseconds. */
const CHECK_INTERVAL_MS = 3_600_000;
/** Time after which a warning about a certificate is repeated, in milliseconds. */
const REPEAT_MS = 86_400_000;

interface MonitorInput {
  readonly current: {
    current(): ActiveSnapshot;
    onSwap(listener: () => void): () => void;
  };
  readonly secrets: Pick<SecretSource, 'certificates'>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Watches the certificates that this server uses. */
export interface CertificateMonitor {
  /** Returns why calls fail or will fail; undefined while every certificate is valid and every replacement is in use. */
  readonly problem: () => string | undefined;
  readonly metrics: () => readonly Metric[];
  readonly close: () => void;
}

/**
 * Watches the certificates of the listener, the adapters, the issuers and Vault. Logs each replacement, and each certificate
 * that has expired or expires soon: at the start, then every day.
 */
export function openCertificateMonitor({
  current,
  secrets,
  scheduler,
  log,
}: MonitorInput): CertificateMonitor {
  const inUse = (): readonly CertificateInUse[] => certificatesInUse(current.current(), secrets);
  let before = keyed(inUse());
  const warnedAt = new Map<string, number>();
  let cancel = (): void => undefined;

  const warn = (): void => {
    const now = scheduler.now();
    for (const file of inUse())
      for (const { message, fix, isWarning } of judgeCertificates(file, now)) {
        const last = warnedAt.get(message);
        if (last !== undefined && now - last < REPEAT_MS) continue;
        warnedAt.set(message, now);
        const fields = { use: file.use, name: file.name, reason: message, fix };
        if (isWarning) log.warn('certificate needs attention', fields);
        else log.error('certificate is not valid; connections that verify it fail', fields);
      }
    for (const [message, at] of warnedAt) if (now - at > 2 * REPEAT_MS) warnedAt.delete(message);
    cancel();
    cancel = scheduler.after(CHECK_INTERVAL_MS, warn);
  };
  const logReplacements = (): void => {
    const after = keyed(inUse());
    for (const [key, file] of after) {
      const previous = before.get(key);
      if (!previous || identityOf(previous) === identityOf(file)) continue;
      const { use, name, pointer: setting } = file;
      log.info('certificate replaced', { use, name, setting, ...certificateFields(file) });
    }
    before = after;
    warn();
  };
  const removeListener = current.onSwap(logReplacements);
  warn();
  return {
    problem() {
      const refusals = refusalsOf(current.current(), secrets).flatMap(({ reason = [] }) => reason);
      const faults = inUse().flatMap((file) => judgeCertificates(file, scheduler.now()));
      const reasons = [
        ...faults.filter(({ isWarning }) => !isWarning).map(withFix),
        ...refusals.map((reason) => `the files of a certificate are not used: ${reason}`),
      ];
      return reasons.length > 0 ? reasons.join(' ') : undefined;
    },
    metrics: () => certificateMetrics(current.current(), secrets, scheduler.now()),
    close() {
      removeListener();
      cancel();
    },
  };
}

/** Returns the certificates that connections use now, which may be older than the files. */
function certificatesInUse(
  { listenerTls, adapters, main }: ReturnType<MonitorInput['current']['current']>,
  secrets: MonitorInput['secrets'],
): readonly CertificateInUse[] {
  return [
    ...(listenerTls?.certificates ?? []).map((file) => ({ ...file, use: 'server' as const, name: '' })),
    ...secrets.certificates().files.map((file) => ({ ...file, use: 'vault' as const, name: '' })),
    ...main.value.verifier.certificates,
    ...[...adapters.values()].flatMap(({ id: name, certificates = [] }) =>
      certificates.map((file) => ({ ...file, use: 'adapter' as const, name })),
    ),
  ];
}

function keyed(files: readonly CertificateInUse[]): ReadonlyMap<string, CertificateInUse> {
  return new Map(files.map((file) => [JSON.stringify([file.use, file.name, file.pointer]), file]));
}

/** Whether the files of a use are refused, while their former content stays in use. */
interface Refusal {
  readonly labels: Sample['labels'];
  /** Absent if the files are in use. */
  readonly reason?: string;
}

function refusalsOf(
  snapshot: ReturnType<MonitorInput['current']['current']>,
  secrets: MonitorInput['secrets'],
): readonly Refusal[] {
  const { outdated } = snapshot;
  const uses = new Map(
    certificatesInUse(snapshot, secrets).map(({ use, name }) => [`${use} ${name}`, { use, name }]),
  );
  const reasonOf = ({ use, name }: Pick<CertificateInUse, 'use' | 'name'>): string | undefined => {
    if (use === 'server') return snapshot.listenerTls?.refusal;
    if (use === 'vault') return secrets.certificates().refusal;
    const reason = outdated.get(use === 'adapter' ? name : '');
    return reason !== undefined && /\/(?:caFile|certFile|keyFile)\b/.test(reason) ? reason : undefined;
  };
  return [...uses.values()].map((labels) => {
    const reason = reasonOf(labels);
    return { labels, ...(reason !== undefined && { reason }) };
  });
}

function certificateMetrics(
  snapshot: ReturnType<MonitorInput['current']['current']>,
  secrets: MonitorInput['secrets'],
  now: number,
): readonly Metric[] {
  const expiries = certificatesInUse(snapshot, secrets).map((file) => ({
    labels: {
      use: file.use,
      name: file.name,
      setting: file.pointer.slice(file.pointer.lastIndexOf('/') + 1),
    },
    value: expiryOf(file, now) / 1000,
  }));
  return [
    gauge(
      'gatehouse_tls_certificate_expiry_timestamp_seconds',
      'Time at which a certificate in use expires, in seconds since 1970; the earliest of several in one file. use: server, adapter, issuer, vault.',
      expiries,
    ),
    gauge(
      'gatehouse_tls_certificate_refused',
      '1 while the files of a certificate cannot be used and their previous content stays in use.',
      refusalsOf(snapshot, secrets).map(({ labels, reason }) => ({
        labels,
        value: reason === undefined ? 0 : 1,
      })),
    ),
  ];
}

/**
 * Returns the time at which the certificates of a file need a replacement: the first expiry of a certificate that is still
 * valid. Certificates of a bundle that have expired do not count, unless all have.
 */
export function expiryOf({ kind, certificates }: CertificateFile, now: number): number {
  const times = certificates.map(({ notAfter }) => notAfter);
  const ahead = times.filter((time) => time > now);
  if (kind === 'own') return Math.min(...times.slice(0, 1), ...ahead);
  return ahead.length > 0 ? Math.min(...ahead) : Math.max(...times);
}
