import type { CertificateFile } from './certificate.js';
import type { Secret } from './secret.js';

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

/** Returns true if both have the same certificates, keys and revocation lists. */
export function isSameListenerTls(one: ListenerTls, other: ListenerTls): boolean {
  const textOf = ({ cert, key, clientCa, clientCrl }: ListenerTls): string =>
    JSON.stringify([cert, key.reveal(), clientCa, clientCrl]);
  return textOf(one) === textOf(other);
}
