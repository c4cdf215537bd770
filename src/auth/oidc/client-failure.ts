/**
 * Kind of a failed step of an OpenID Connect client. `refused`: the issuer refuses the grant or the client.
 * `invalid`: the response of the
 * issuer does not fit the request. `unavailable`: any other failure.
 */
type ClientFailureKind = 'refused' | 'invalid' | 'unavailable';

/** A failed step of an OpenID Connect client. The message is for the log, and contains no token. */
export class ClientFailure extends Error {
  readonly kind: ClientFailureKind;
  /** Error code of OAuth 2.0, for example `invalid_grant`; undefined if the issuer sent none. */
  readonly error: string | undefined;

  constructor(kind: ClientFailureKind, message: string, error?: string) {
    super(message);
    this.name = 'ClientFailure';
    this.kind = kind;
    this.error = error;
  }
}

interface FailedRequest {
  readonly endpoint: string;
  /** The response; absent if there was none. */
  readonly response?: { readonly status: number; readonly isJsonObject: boolean };
}

/** Statuses by which an endpoint refuses the grant or the client (RFC 6749 section 5.2). */
const REFUSALS: readonly (number | undefined)[] = [400, 401, 403];

/** Converts an error of the library or of the HTTP client. The result contains no body of a response. */
export function failureOf(error: unknown, { endpoint, response }: FailedRequest): ClientFailure {
  if (error instanceof ClientFailure) return error;
  const status = response?.status;
  if (REFUSALS.includes(status)) {
    const code = oauthErrorOf(error);
    const shown = code === undefined ? '' : ` (${code})`;
    return new ClientFailure('refused', `the ${endpoint} refuses with status ${status}${shown}`, code);
  }
  if (status !== undefined && status !== 200)
    return new ClientFailure('unavailable', `the ${endpoint} answers with status ${status}`);
  const kind = response?.isJsonObject ? 'invalid' : 'unavailable';
  return new ClientFailure(kind, `the ${endpoint}: ${reasonOf(error)}`);
}

/** Returns the OAuth error code of a response, or `undefined` if it has none that a log can show. */
function oauthErrorOf(error: unknown): string | undefined {
  const { code: kind, error: code } = error as { readonly code?: unknown; readonly error?: unknown };
  return kind === 'OAUTH_RESPONSE_BODY_ERROR' && typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)
    ? code
    : undefined;
}

/** Returns the message of the cause, which is more specific. The rest of a cause may contain tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}
