import type { Hop, TransportFailure } from '../core/transport-failure.js';

/** What a target is configured by: an adapter, or the block `egress` of the main file. */
export type TargetOwner = 'adapter' | 'egress';

const SHOW_CHAIN = '"openssl s_client -showcerts -connect HOST:PORT" shows the chain';
const SHOW_NAMES =
  '"openssl s_client -connect HOST:PORT </dev/null | openssl x509 -noout -ext subjectAltName" shows its names';

const SELF_SIGNED: Advice = {
  adapter: `Ask the operator to name the certificate of the target in tls.caFile of the adapter; ${SHOW_CHAIN}.`,
  egress: `Ask the operator to name a file with the certificate in NODE_EXTRA_CA_CERTS and to restart; ${SHOW_CHAIN}.`,
};

const UNKNOWN_AUTHORITY: Advice = {
  adapter: `Ask the operator to name the certificate of the authority that signed it in tls.caFile of the adapter; ${SHOW_CHAIN}.`,
  egress: `Ask the operator to name a file with the certificate of this authority in NODE_EXTRA_CA_CERTS and to restart; ${SHOW_CHAIN}.`,
};

const OTHER_NAME: Advice = {
  adapter: `Ask the operator to write a name of the certificate in baseUrl, or in tls.serverName of the adapter; ${SHOW_NAMES}.`,
  egress: `Send a URI with a host name of the certificate; ${SHOW_NAMES}.`,
};

const EXPIRED: Advice = both(
  'Ask the operator of the target to renew its certificate; if it is valid, correct the clock of this server.',
);

const PLAIN_HTTP: Advice = {
  adapter:
    'Ask the operator to write the TLS port of the target in baseUrl, or http:// if the target has no TLS.',
  egress: 'Send a URI with the TLS port of the target, or with http:// if the target has no TLS.',
};

/** Next step if a target ends a plain HTTP connection without a valid reply. */
export const EXPECTS_TLS: Advice = {
  adapter:
    'Ask the operator to write https:// in baseUrl if the target expects TLS on this port; otherwise the log of the target has the reason.',
  egress: 'Send a URI with https:// if the target expects TLS on this port.',
};

/** Next step for each kind of owner. */
type Advice = Readonly<Record<TargetOwner, string>>;

/** Next steps by the code of a TLS error. */
const TLS_ADVICE: Readonly<Partial<Record<string, Advice>>> = {
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: EXPIRED,
  CERT_REVOKED: both('Ask the operator of the target to install a certificate that is not revoked.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN_HTTP,
};

/** Next steps for an adapter by the hop that failed. A caller of `egress` has the recommendation of the Problem. */
const HOP_ADVICE: Readonly<Partial<Record<Hop, string>>> = {
  name: 'Ask the operator to correct the host in baseUrl, or the DNS of this server.',
  address:
    'Ask the operator to check that the orchestrator runs, that host and port of baseUrl are right, and that no firewall blocks them.',
};

/** Returns the next step for a connection that failed; `undefined` for a failure without one. */
export function adviceFor({ code, hop }: TransportFailure, owner: TargetOwner): string | undefined {
  return TLS_ADVICE[code]?.[owner] ?? (owner === 'adapter' ? HOP_ADVICE[hop] : undefined);
}

function both(text: string): Advice {
  return { adapter: text, egress: text };
}
