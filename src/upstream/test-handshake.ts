import type { Socket } from 'node:net';
import { type Certificate, type PeerCertificate, TLSSocket } from 'node:tls';
import {
  asSentence,
  type PresentedCertificate,
  StepFailure,
  type StepFinding,
} from '../core/connection-test.js';
import type { TlsMaterial } from '../core/http.js';
import { operatorAdvice, Problem } from '../core/problem.js';

/** How the handshake of a target is tested. */
interface HandshakeTerms {
  readonly tls: TlsMaterial;
  /** Returns the function that connects with this material. It throws Problems. */
  readonly connectWith: (tls: TlsMaterial) => () => Promise<Socket>;
  /** Returns the milliseconds since 1970. */
  readonly now: () => number;
}

/** Remaining validity of a certificate that is worth a warning, in days. */
const WARNING_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Makes a TLS handshake as calls of the adapter do, and describes the certificate of the target. If the certificate is not
 * trusted, reads it with a second handshake, without the client certificate, so that the failure can show it.
 */
export async function testHandshake({ tls, connectWith, now }: HandshakeTerms): Promise<StepFinding> {
  try {
    const { protocol, certificate } = await shakeHands(connectWith(tls));
    return {
      ...verifiedWords(protocol, { certificate, tls, now: now() }),
      ...certificateMember(certificate),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'upstream_timeout') throw silentTarget();
    const shown = isCertificateFault(error)
      ? await shakeHands(connectWith({ insecure: true })).catch(() => undefined)
      : undefined;
    throw new StepFailure({ ...failureWords(error), ...certificateMember(shown?.certificate) });
  }
}

interface Handshake {
  readonly protocol: string;
  readonly certificate: PresentedCertificate | undefined;
}

async function shakeHands(connect: () => Promise<Socket>): Promise<Handshake> {
  const socket = await connect();
  try {
    if (!(socket instanceof TLSSocket)) throw new TypeError('the connection has no TLS');
    const { protocol, peer } = { protocol: socket.getProtocol() ?? 'TLS', peer: socket.getPeerCertificate() };
    return { protocol, certificate: presentedCertificate(peer) };
  } finally {
    socket.destroy();
  }
}

function presentedCertificate({ subject, issuer, valid_to: end }: Partial<PeerCertificate>) {
  // Node.js returns an empty object if the target presents no certificate.
  if (end === undefined) return undefined;
  return { subject: nameText(subject), issuer: nameText(issuer), notAfter: Date.parse(end) };
}

function nameText(name: Certificate | undefined): string {
  const parts = Object.entries(name ?? {}).flatMap(([key, value = '']) =>
    [value].flat().map((text) => `${key}=${text}`),
  );
  return parts.join(', ').slice(0, 500);
}

function certificateMember(certificate: PresentedCertificate | undefined): Pick<StepFinding, 'certificate'> {
  return certificate ? { certificate } : {};
}

function verifiedWords(
  protocol: string,
  {
    certificate,
    tls,
    now,
  }: {
    readonly certificate: PresentedCertificate | undefined;
    readonly tls: TlsMaterial;
    readonly now: number;
  },
): StepFinding {
  if (tls.insecure)
    return {
      verdict: 'warning',
      message: `${protocol}. The certificate is not verified, because tls.insecure is set.`,
      fix: 'Set tls.caFile to the certificate of the authority, and remove tls.insecure.',
    };
  const days = certificate ? Math.floor((certificate.notAfter - now) / DAY_MS) : Infinity;
  if (days < WARNING_DAYS)
    return {
      verdict: 'warning',
      message: `${protocol}. The certificate is valid, but ends in ${days} ${days === 1 ? 'day' : 'days'}.`,
      fix: 'Ask the operator of the orchestrator to renew the certificate.',
    };
  return { message: `${protocol}. The certificate is valid.` };
}

function silentTarget(): StepFailure {
  return new StepFailure({
    message: 'The orchestrator accepted the connection, but did not answer the TLS handshake in time.',
    fix: NO_TLS_FIX,
  });
}

function isCertificateFault({ message }: Problem): boolean {
  return message.startsWith('the certificate ');
}

/** Next steps of a person who edits the adapter, by the fault of the certificate. */
const CERTIFICATE_FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /self-signed|not trusted/,
    'Set tls.caFile to the certificate of the authority that signed it. Compare the certificate of the server with that of the orchestrator first.',
  ],
  [/another host name/, 'Use a name of the certificate in the base URL, or set tls.serverName to that name.'],
  [
    /expired|not valid yet/,
    'Ask the operator of the orchestrator to renew the certificate, and check the clock of this server.',
  ],
  [/revoked/, 'Ask the operator of the orchestrator to install another certificate.'],
];

const NO_TLS_FIX = 'Check that this port serves TLS; use http:// for a port without it.';

function failureWords(problem: Problem): StepFinding {
  const fix = CERTIFICATE_FIXES.find(([pattern]) => pattern.test(problem.message))?.[1];
  return { message: asSentence(problem.message), fix: fix ?? operatorAdvice(problem) ?? NO_TLS_FIX };
}
