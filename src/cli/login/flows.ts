import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClientFailure } from '../../auth/oidc/client-failure.js';
import type { DeviceAuthorization, OidcClient, TokenSet } from '../../auth/oidc/client-types.js';
import { challengeOf, randomText } from '../../auth/oidc/flow.js';
import { MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../../http/html.js';
import { systemScheduler } from '../../lib/clock.js';
import { withTimeout } from '../../lib/timeout.js';
import type { CommandIo } from '../lib/command.js';
import { withConnectionAdvice } from './connection-advice.js';
import { withoutControls } from './gateway.js';

/** Ways to sign in at an identity provider: with a code on any device, or with a browser on this machine. */
type Flow = 'device' | 'browser';

interface SignInTerms {
  readonly client: OidcClient;
  /** Name of the identity provider for people. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Absent: `device`, and `browser` if the identity provider refuses it. */
  readonly flow?: Flow;
  readonly io: CommandIo;
}

/**
 * Signs a person in: with the device authorization grant (RFC 8628), or with the authorization code grant, PKCE
 * and a redirect to this machine (RFC 8252) if the identity provider does not offer the former to this client.
 * Throws an Error that says what to do.
 */
export async function signInAt(terms: SignInTerms): Promise<TokenSet> {
  try {
    const started = terms.flow === 'browser' ? undefined : await startDevice(terms);
    return started ? await finishDevice(started, terms) : await signInWithBrowser(terms);
  } catch (error) {
    throw error instanceof ClientFailure ? new Error(`${terms.name}: ${adviceFor(error)}`) : error;
  }
}

/** Returns `undefined` if this client must use a browser on this machine. */
async function startDevice({
  client,
  scopes,
  flow,
  name,
  io,
}: SignInTerms): Promise<DeviceAuthorization | undefined> {
  const { device_authorization_endpoint: endpoint } = await client.metadata();
  if (endpoint === undefined && flow === 'device')
    throw new Error(`${name} does not offer the device authorization grant; leave out --device`);
  if (endpoint === undefined) return undefined;
  try {
    return await client.startDeviceAuthorization(scopeOf(scopes));
  } catch (error) {
    const isRefused = error instanceof ClientFailure && error.kind === 'refused';
    if (!isRefused || flow === 'device') throw error;
    io.err(`${name} refuses the device authorization grant (${error.error ?? 'no reason'}).\n`);
    return undefined;
  }
}

async function finishDevice(
  { userCode, verificationUri, verificationUriComplete, expiresIn, tokens }: DeviceAuthorization,
  { name, io }: SignInTerms,
): Promise<TokenSet> {
  const minutes = Math.max(1, Math.floor(expiresIn / 60));
  io.err(`To sign in with ${withoutControls(name)}, open this page on any device:

  ${withoutControls(verificationUriComplete ?? verificationUri)}

and confirm the code ${withoutControls(userCode)}. The code is valid for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Waiting ...
`);
  return tokens();
}

/** Maximum time for which the command waits for the browser, in milliseconds. */
const BROWSER_TIMEOUT_MS = 600_000;

async function signInWithBrowser({ client, scopes, name, io }: SignInTerms): Promise<TokenSet> {
  const receiver = await openLoopbackReceiver();
  try {
    const { redirectUri } = receiver;
    const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()];
    const url = await client.authorizationUrl({
      redirect_uri: redirectUri,
      scope: scopeOf(scopes),
      state,
      nonce,
      code_challenge: challengeOf({ codeVerifier }),
      code_challenge_method: 'S256',
    });
    io.err(`To sign in with ${name}, open this page in a browser on this machine:

  ${url}

Waiting ...
`);
    io.openBrowser(url);
    const response = await withTimeout(receiver.response(state), {
      ms: BROWSER_TIMEOUT_MS,
      scheduler: systemScheduler,
      late: () => Promise.reject(new Error('no sign-in within 10 minutes; run the command again')),
    });
    return await client.exchangeCode(response, { redirectUri, state, nonce, codeVerifier });
  } finally {
    await receiver.close();
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  access_denied: 'the sign-in was denied',
  expired_token: 'the code was not confirmed in time; run the command again',
  invalid_client: 'it does not know the client; the client must be public, without a secret',
  unauthorized_client: 'it does not allow this grant to the client; its administrator can allow it',
  invalid_scope: 'it does not give the client a scope that the server asks for',
};

function adviceFor({ error, message }: ClientFailure): string {
  return error === undefined ? withConnectionAdvice(message) : `${ADVICE[error] ?? message} (${error})`;
}

function scopeOf(scopes: readonly string[]): string {
  return [...new Set(['openid', ...scopes])].join(' ');
}

/** A server on this machine that receives one authorization response (RFC 8252 section 7.3). */
interface LoopbackReceiver {
  readonly redirectUri: string;
  /** Resolves to the parameters of the response with this `state`; other responses are refused. */
  response(state: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = '/callback';

/** Listens on a free port of the loopback interface. */
async function openLoopbackReceiver(): Promise<LoopbackReceiver> {
  let onResponse: (parameters: URLSearchParams) => boolean = () => false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const isTaken = request.method === 'GET' && pathname === PATH && onResponse(searchParams);
    const isSignedIn = isTaken && !searchParams.has('error');
    const title = isSignedIn ? 'Signed in' : 'Not signed in';
    const content = isTaken
      ? 'Close this page, and go back to the shell.'
      : 'No sign-in waits for this page.';
    response
      .writeHead(isTaken ? 200 : 400, {
        ...MINIMAL_PAGE_HEADERS,
        'content-type': PAGE_TYPE,
        connection: 'close',
      })
      .end(minimalPage({ title, content }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    response: (state) =>
      new Promise((resolve) => {
        onResponse = (parameters) => {
          if (parameters.get('state') !== state) return false;
          onResponse = () => false;
          resolve(parameters);
          return true;
        };
      }),
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
