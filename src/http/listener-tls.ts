import { constants } from 'node:crypto';
import type { Server } from 'node:http';
import { type ServerOptions, Server as HttpsServer } from 'node:https';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { ListenerTls } from '../core/certificate.js';
import type { Log } from '../core/log.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';

/**
 * Cipher suites in order of preference. All have forward secrecy and authenticated encryption (RFC 9325
 * section 4.2).
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

/** Returns the options of Node's TLS server for the material. */
export function tlsServerOptions(tls: ListenerTls, handshakeTimeout: number): ServerOptions {
  const { clientCertificates = 'none' } = tls;
  return {
    ...secureContextOptions(tls),
    handshakeTimeout,
    requestCert: clientCertificates !== 'none',
    // With `optional`, the authentication refuses a certificate that is not valid; the connection itself may go on.
    rejectUnauthorized: clientCertificates === 'required',
  };
}

/**
 * Uses other material for new connections; open connections keep theirs. Does nothing for a server of plain HTTP. Throws an
 * Error for material that does not fit.
 */
export function replaceTls(server: Server, tls: ListenerTls): void {
  // The options replace all previous ones. New keys of session tickets make a client with an old ticket shake hands again.
  if (server instanceof HttpsServer) server.setSecureContext(secureContextOptions(tls));
}

/** Minimum time between two log lines about refused connections, in milliseconds. */
const LOG_INTERVAL_MS = 1_000;

/** Logs connections that end because the client presented no certificate, or a certificate that is not accepted. */
export function logRefusedCertificates(server: Server, log: Log, clock: Clock = systemClock): void {
  const waitMs = createCooldown(clock, LOG_INTERVAL_MS);
  server.on('tlsClientError', (error: NodeJS.ErrnoException, { authorizationError }: TLSSocket) => {
    const isMissing = error.code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE';
    // The type says Error, but the value is a code of OpenSSL, or null.
    const refusal = authorizationError as unknown as string | null | undefined;
    const reason = isMissing ? 'the client presented no certificate' : refusal;
    if (reason && waitMs() === 0) log.info('connection refused: client certificate not accepted', { reason });
  });
}

function secureContextOptions({ cert, key, clientCa, clientCrl }: ListenerTls): SecureContextOptions {
  return {
    cert,
    key: key.reveal(),
    ciphers: CIPHERS,
    // A client could otherwise repeat the handshake of TLS 1.2, which costs the server more than the client.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(clientCa !== undefined && { ca: clientCa }),
    ...(clientCrl && { crl: [...clientCrl] }),
  };
}
