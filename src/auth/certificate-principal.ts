import { CERTIFICATE_ISSUER, type ClientCertificate } from '../core/client-certificate.js';
import type { Principal } from '../core/principal.js';
import { ownMember } from '../json/json-object.js';
import type { ClientCertificateSettings } from '../settings/settings.js';
import { unauthorized } from './rejected-token.js';

/**
 * Returns the principal of a certificate that a caller has presented, at the time `now` in milliseconds since 1970. Throws
 * `unauthorized` for a certificate that the listener could not verify, that has expired during the connection, or that does
 * not have exactly one name of the configured kind: two names would let the owner choose.
 */
export function principalOfCertificate(
  certificate: ClientCertificate,
  { subject: kind, roles }: ClientCertificateSettings,
  now: number,
): Principal {
  if ('refusal' in certificate) throw refused(`is not accepted: ${certificate.refusal}`);
  const { names, notAfter } = certificate;
  if (now >= notAfter) throw refused('has expired');
  const [subject, ...others] = names[kind];
  if (subject === undefined || others.length > 0)
    throw refused(`has ${names[kind].length} names of the kind ${kind}, and needs exactly one`);
  if (!isPlain(subject))
    throw refused(`has a name of the kind ${kind} that is empty or has control characters`);
  return {
    subject,
    issuer: CERTIFICATE_ISSUER,
    roles: [ownMember(roles, subject) ?? []].flat().map(String),
    expiresAt: Math.floor(notAfter / 1000),
  };
}

function isPlain(name: string): boolean {
  return name !== '' && !/\p{Cc}/u.test(name);
}

function refused(reason: string): Error {
  return unauthorized(new Error(`the client certificate ${reason}`));
}
