import type { ServerMetadata } from 'openid-client';
import type { Secret } from '../../core/secret.js';

/** Settings of an OpenID Connect client. */
export interface OidcClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: Secret | undefined;
  /** Trusted CAs for connections to the issuer, as PEM text; absent: the default CAs of Node.js. */
  readonly ca?: string | undefined;
  /** Tolerance for the times in id tokens; default: 30. */
  readonly clockToleranceSeconds?: number;
}

export interface TokenSet {
  readonly accessToken: string;
  /** Its claims were checked; its signature was not. */
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** Lifetime of the access token in seconds, as the issuer reports it. */
  readonly expiresIn?: number;
}

/** Values that bind an authorization response to its request. */
interface CodeChecks {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Response of the device authorization endpoint (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Contains the user code; absent if the issuer does not support this. */
  readonly verificationUriComplete?: string;
  /** Lifetime of the user code, in seconds. */
  readonly expiresIn: number;
  /**
   * Polls the token endpoint until the person has decided. Rejects with `refused` and the error
   * `access_denied` or `expired_token`, or with `unavailable`.
   */
  readonly tokens: (signal?: AbortSignal) => Promise<TokenSet>;
}

/**
 * An OpenID Connect client of one issuer. All protocol steps are those of the package openid-client; all
 * requests use the HTTP client of gatehouse. Every method rejects with a {@link ClientFailure}.
 */
export interface OidcFunctions {
  /** Returns the issuer's metadata, which is cached for 10 minutes. */
  metadata(): Promise<ServerMetadata>;
  authorizationUrl(parameters: Readonly<Record<string, string>>): Promise<string>;
  /** Exchanges the code of an authorization response (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
  exchangeCode(response: URLSearchParams, checks: CodeChecks): Promise<TokenSet>;
  /** Exchanges a refresh token (RFC 6749 section 6). */
  refresh(refreshToken: string): Promise<TokenSet>;
  /** Starts a device authorization (RFC 8628). */
  startDeviceAuthorization(scope: string): Promise<DeviceAuthorization>;
  /**
   * Returns the URL that ends the person's session at the issuer (OpenID Connect RP-Initiated Logout 1.0);
   * `undefined` if the issuer has no `end_session_endpoint`.
   */
  endSessionUrl(parameters: Readonly<Record<string, string>>): Promise<string | undefined>;
  /** Asks the issuer about a token (RFC 7662). Returns true for an active token. */
  isActive(token: string): Promise<boolean>;
  /** Revokes a token (RFC 7009); does nothing if the issuer has no revocation endpoint. */
  revoke(token: string): Promise<void>;
}

/** The functions with the connections that they use. */
export interface OidcClient extends OidcFunctions {
  close(): Promise<void>;
}
