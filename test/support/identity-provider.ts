import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { type BorrowedKeys, borrowRsaKeys } from './keys.js';
import { listenOnLoopback } from './loopback.js';

/** The used part of the package `oidc-provider`, which has no type declarations. */
interface ProviderPackage {
  readonly Provider: new (issuer: string, configuration: object) => Provider;
}

interface Provider {
  callback(): http.RequestListener;
  interactionDetails(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<{ readonly uid: string }>;
  interactionFinished(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    result: object,
  ): Promise<void>;
  readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };
}

/** The part of a request that the hooks of the package look at. */
interface Context {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

export interface IdentityProviderOptions {
  /** Path of the issuer, such as `/realms/net`. */
  readonly path?: string;
  readonly algorithm?: 'RS256' | 'ES256';
  /** Of its access tokens, which are JWTs (RFC 9068). */
  readonly audience?: string;
  /** Additional claims of its access tokens, for example roles. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * A certified OpenID provider (the package `oidc-provider`) on loopback: discovery, a key set, client
 * credentials, and the authorization code flow with PKCE for one person, who agrees by following a link.
 */
export interface IdentityProvider {
  /** `http://localhost:port` and the path. */
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** The only URL to which the provider redirects browsers; set before the first request. */
  redirectUri: string;
  /** An access token by client credentials (RFC 6749, 4.4). */
  token(): Promise<string>;
  close(): Promise<void>;
}

const RESOURCE = 'urn:example:gatehouse';

/** Path of its page for people, below the issuer. */
const PAGE = '/page';

export async function startIdentityProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const { path = '' } = options;
  const Provider = await loadProvider();
  const client = { id: 'gatehouse-console', secret: `pw-of-the-console-${randomUUID()}` };
  // A promise, so that requests that arrive together begin one provider.
  let provider: Promise<Provider> | undefined;
  const borrowed: BorrowedKeys[] = [];

  const server = http.createServer((request, response) => {
    void answer(request, response);
  });
  const listener = await listenOnLoopback(server, { host: 'localhost' });
  const issuer = `http://localhost:${listener.port}${path}`;

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    provider ??= begin();
    const current = await provider;
    const { url = '' } = request;
    // The package derives its mount path from `originalUrl`, as with Express.
    Object.assign(request, { originalUrl: url, url: url.slice(path.length) || '/' });
    if (request.url?.startsWith(PAGE) === true) await showPage(current, request, response);
    else current.callback()(request, response);
  }

  async function showPage(
    at: Provider,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const { uid } = await at.interactionDetails(request, response);
    if (request.url?.endsWith('/agreed') === true)
      await at.interactionFinished(request, response, { login: { accountId: 'ada' } });
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<a href="${path}${PAGE}/${uid}/agreed">I agree</a>`);
  }

  async function begin(): Promise<Provider> {
    const settings = {
      ...settingsOf(options, path, await makeKey()),
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          grant_types: ['authorization_code', 'client_credentials'],
          redirect_uris: [self.redirectUri],
          id_token_signed_response_alg: options.algorithm ?? 'RS256',
        },
      ],
      loadExistingGrant: async ({ oidc }: Context) => {
        const { clientId } = oidc.client;
        const grant = new made.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid profile');
        grant.addResourceScope(RESOURCE, 'profile');
        await grant.save();
        return grant;
      },
    };
    const made = await quietly(() => new Provider(issuer, settings));
    return made;
  }

  /** Its key to sign with, as a JWK. */
  async function makeKey(): Promise<object> {
    const { algorithm = 'RS256' } = options;
    const name = { kid: randomUUID(), alg: algorithm, use: 'sig' };
    if (algorithm === 'ES256') {
      const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
      return { ...(await exportJWK(privateKey)), ...name };
    }
    const keys = borrowRsaKeys();
    borrowed.push(keys);
    return { ...keys.privateKey.export({ format: 'jwk' }), ...name };
  }

  const self: IdentityProvider = {
    issuer,
    client,
    redirectUri: 'https://gateway.example/console/oidc/callback',
    async token() {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const answered = (await response.json()) as { readonly access_token?: string };
      if (answered.access_token === undefined) throw new Error(JSON.stringify(answered));
      return answered.access_token;
    },
    async close() {
      await listener.close();
      for (const keys of borrowed) keys.giveBack();
    },
  };
  return self;
}

async function loadProvider(): Promise<ProviderPackage['Provider']> {
  return quietly(
    async () => ((await import(import.meta.resolve('oidc-provider'))) as ProviderPackage).Provider,
  );
}

/**
 * Suppresses warnings of the package about stores in memory and unknown releases of Node.js; the tests check
 * its behavior.
 */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn, info } = console;
  const silent = (): void => undefined;
  Object.assign(console, { warn: silent, info: silent });
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}

function settingsOf(
  { algorithm = 'RS256', audience = 'gatehouse', claims = {} }: IdentityProviderOptions,
  path: string,
  key: object,
): object {
  const server = {
    audience,
    scope: 'profile',
    accessTokenFormat: 'jwt',
    accessTokenTTL: 300,
    jwt: { sign: { alg: algorithm } },
  };
  return {
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    extraTokenClaims: () => claims,
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `${path}${PAGE}/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 300,
      ClientCredentials: 300,
      IdToken: 300,
      Interaction: 300,
      Session: 300,
      Grant: 300,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => server,
        useGrantedResource: () => true,
      },
    },
  };
}
