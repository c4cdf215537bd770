import { isUntrustedCertificate } from '../../core/transport-failure.js';

const ADVICE =
  'Name a PEM file with this certificate, or with its CA, as "gatehouse login URL --ca FILE"; beside GATEHOUSE_TOKEN, set GATEHOUSE_CA_FILE';

/** Returns the message of a failed request. After a certificate that is not trusted, it also says how to trust it. */
export function withCaAdvice(message: string): string {
  return isUntrustedCertificate(message) ? `${message}. ${ADVICE}` : message;
}
