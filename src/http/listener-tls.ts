import { constants } from 'node:crypto';
import type { Server } from 'node:http';
import { type ServerOptions, Server as HttpsServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { ListenerTls } from '../core/listener-tls.js';

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
