import { isUntrustedCertificate } from '../../core/transport-failure.js';

const CA_ADVICE =
  'Name a PEM file with this certificate, or with its CA, as "gatehouse login URL --ca FILE"; beside GATEHOUSE_TOKEN, set GATEHOUSE_CA_FILE';

/** Next steps by the words of a failed connection. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/\brefuses connections on this port\b/, 'Correct the port of the address, or start the server'],
  [/\bhost name\b.* is not known\b/, 'Correct the host of the address, or add the name to the DNS'],
  [/\bis for another host name\b/, 'Write a host name of the certificate in the address'],
  [
    /\bdoes not speak TLS on this port\b/,
    'Correct the port of the address, or write http:// for a server without TLS',
  ],
];

/** Returns the message of a failed request, with the next step after the failures that have one. */
export function withConnectionAdvice(message: string): string {
  const advice = isUntrustedCertificate(message)
    ? CA_ADVICE
    : ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  return advice === undefined ? message : `${message}. ${advice}`;
}
