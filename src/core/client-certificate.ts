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
