import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock } from '../lib/clock.js';
import type { CertificateFacts } from '../lib/read-certificates.js';
import type { LocatedFault } from './fault.js';
import type { LogFields } from './log.js';
import type { Secret } from './secret.js';

/** A file of certificates that connections use. */
export interface CertificateFile {
  /** JSON pointer of the setting, relative to the section that names the file. */
  readonly pointer: string;
  /** Path of the file; null for certificates from Vault. */
  readonly file: string | null;
  /** `own`: the certificate that this server presents, with its chain; `authority`: CA certificates that it trusts. */
  readonly kind: 'own' | 'authority';
  readonly certificates: readonly CertificateFacts[];
}

/** Certificates of one setting that are in use, and what uses them. */
export interface CertificateInUse extends CertificateFile {
  readonly use: 'server' | 'adapter' | 'vault' | 'issuer';
  /** Id of the adapter or name of the issuer; empty for the listener and for Vault. */
  readonly name: string;
}

/** A problem of a certificate. A warning does not prevent its use. */
interface CertificateFinding extends LocatedFault {
  readonly isWarning: boolean;
}

const DAY_MS = 86_400_000;

/** Time before the end of a certificate from which the server warns, in milliseconds. */
const EXPIRY_WARNING_MS = 14 * DAY_MS;

/**
 * Returns the problems of the certificates at a time. The first certificate of an `own` file must be valid and strong. Of
 * an `authority` file, at least one certificate must be usable: an expired certificate in a bundle is a warning.
 */
export function judgeCertificates(file: CertificateFile, now: number): readonly CertificateFinding[] {
  const { kind, certificates } = file;
  const problems = certificates.map((certificate) => problemOf(certificate, now));
  const isUnusable = kind === 'own' ? problems[0] !== undefined : !problems.includes(undefined);
  return certificates.flatMap((certificate, at) => {
    const problem = problems[at];
    const isFault = problem !== undefined && isUnusable && (kind === 'authority' || at === 0);
    if (problem !== undefined) return [findingOf({ file, certificate, problem, isWarning: !isFault })];
    if (certificate.notAfter - now > EXPIRY_WARNING_MS) return [];
    const expires = `expires on ${formatTime(certificate.notAfter)}`;
    return [findingOf({ file, certificate, problem: expires, isWarning: true })];
  });
}

/** Returns the problems that prevent the use of the certificates; see {@link judgeCertificates}. */
export function certificateFaults(file: CertificateFile, now: number): readonly LocatedFault[] {
  return judgeCertificates(file, now)
    .filter(({ isWarning }) => !isWarning)
    .map(({ pointer, code, message, fix }) => ({ pointer, code, message, fix }));
}

/** Returns the problems that prevent the use of the certificates of a file. */
export type JudgeCertificates = (file: CertificateFile) => readonly LocatedFault[];

/** Maximum number of files whose certificates a judge remembers. */
const MAX_ACCEPTED_FILES = 10_000;

/**
 * Creates a judge that accepts certificates again that it has accepted before, so that an expired certificate in use does not
 * prevent other changes of the configuration.
 */
export function createCertificateJudge(clock: Clock): JudgeCertificates {
  const accepted = new BoundedMap<string, true>({ maxEntries: MAX_ACCEPTED_FILES });
  return (file) => {
    const identity = identityOf(file);
    if (accepted.get(identity)) return [];
    const faults = certificateFaults(file, clock.now());
    if (faults.length === 0) accepted.set(identity, true);
    return faults;
  };
}

/** Returns a text that is the same for the same certificates. */
export function identityOf({ kind, certificates }: CertificateFile): string {
  return [kind, ...certificates.map(({ fingerprint }) => fingerprint)].join(' ');
}

function problemOf({ notBefore, notAfter, weakness }: CertificateFacts, now: number): string | undefined {
  if (notAfter <= now) return `expired on ${formatTime(notAfter)}`;
  if (notBefore > now) return `is not valid before ${formatTime(notBefore)}`;
  return weakness === undefined ? undefined : `is too weak: ${weakness}`;
}

interface FindingParts {
  readonly file: CertificateFile;
  readonly certificate: CertificateFacts;
  readonly problem: string;
  readonly isWarning: boolean;
}

function findingOf({ file, certificate, problem, isWarning }: FindingParts): CertificateFinding {
  const { pointer, kind } = file;
  const source = file.file ?? 'a secret in Vault';
  const message = `the certificate ${certificate.subject} of ${source} ${problem}`;
  const renewed = kind === 'own' ? 'a new certificate and its key' : 'the current CA certificates';
  const start = problem.startsWith('is not valid') ? 'Check the clock of this machine, or write' : 'Write';
  const target = file.file === null ? 'to Vault' : 'to the files';
  const fix = `${start} ${renewed} ${target}; a running server uses them at once.`;
  return { pointer, code: 'certificate', message, fix, isWarning };
}

/** Returns the log fields that identify the first certificate of a file. */
export function certificateFields({ file, certificates }: CertificateFile): LogFields {
  const [first] = certificates;
  return {
    file,
    subject: first?.subject,
    serial: first?.serial,
    notAfter: first && formatTime(first.notAfter),
    ...(certificates.length > 1 && { certificates: certificates.length }),
  };
}

/** Formats a time as RFC 3339 in UTC, without milliseconds, which certificates do not have. */
function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Whether the listener asks callers for a certificate, and whether it refuses connections without one. */
export const CLIENT_CERTIFICATES = ['none', 'optional', 'required'] as const;
type ClientCertificates = (typeof CLIENT_CERTIFICATES)[number];

/** Certificate and key of the listener, and the authorities of callers' certificates, as PEM text. */
export interface ListenerTls {
  readonly cert: string;
  readonly key: Secret;
  /** Value of `Strict-Transport-Security`; absent or null: no such header. */
  readonly hsts?: string | null;
  /** Absent: `none`. */
  readonly clientCertificates?: ClientCertificates;
  /** CA certificates that client certificates must come from. */
  readonly clientCa?: string;
  /** Revocation lists of these authorities. */
  readonly clientCrl?: readonly string[];
}

/** The material of the listener with its origin. */
export interface OpenedListenerTls {
  readonly material: ListenerTls;
  readonly certificates: readonly CertificateFile[];
  /** Paths of the files that were read. */
  readonly files: readonly string[];
}

/** Issuer of callers that are authenticated by their certificate; no other issuer may use this name. */
export const CERTIFICATE_ISSUER = 'client-certificate';

/** Parts of a certificate that can name its owner: of the subject, and of the subject alternative names. */
export const CERTIFICATE_NAMES = ['cn', 'dn', 'uri', 'dns', 'email'] as const;
type CertificateName = (typeof CERTIFICATE_NAMES)[number];

/** Certificate that a caller has presented in the TLS handshake. */
export type ClientCertificate =
  | {
      readonly names: Readonly<Record<CertificateName, readonly string[]>>;
      /** Milliseconds since 1970. */
      readonly notAfter: number;
    }
  /** Why the certificate proves nothing, for the log. */
  | { readonly refusal: string };
