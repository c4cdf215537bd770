import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';
import type { Browser, Page } from './cookie-browser.js';
import { type OidcProvider, startOidcProvider } from './oidc-provider.js';
import { pageFolderIn } from './page-folder.js';
import { cheapHash } from './password-hash.js';
import { temporaryFolder } from './temporary-folder.js';
import { startTestServer, type TestServer } from './test-server.js';

/** Name and password of the only user. */
export const ADA = { username: 'ada', password: 'pw-of-ada-77' } as const;

/** Key that seals pending sign-ins. */
export const SEAL = 'seal-of-sign-ins-0c41-4bb2-a77f-91d2e8';

/** More keys of the first issuer and of its `signIn`, in YAML. */
interface MoreKeys {
  readonly issuer?: string;
  readonly signIn?: string;
}

/** A server with two identity providers for sign-ins. */
export interface SignInServer extends TestServer {
  readonly folder: string;
  /** Provider with the confidential client `console`. */
  readonly provider: OidcProvider;
  /** Provider with the public client `public`. */
  readonly other: OidcProvider;
  /** Applies another configuration: another public URL, additional lines, and more keys of `auth` and of `signIn`. */
  configure(publicUrl?: string, more?: string, keys?: MoreKeys): Promise<void>;
  /** Returns the address that starts a sign-in. */
  beginUrl(returnTo?: string, issuer?: string): string;
  /** Navigates a browser to the page of the provider. */
  toProvider(browser: Browser, returnTo?: string, issuer?: string): Promise<Page>;
  /** Navigates to the provider and confirms the sign-in. */
  signIn(browser: Browser, returnTo?: string, issuer?: string): Promise<Page>;
  /** Audit records: operation, status, outcome. */
  records(): Promise<readonly string[]>;
}

interface SignInServerOptions {
  /** True serves the built pages, for a browser; default: pages without content. */
  readonly hasBuiltPages?: boolean;
}

/** Starts the server and both providers. Login accepts at most 60 wrong passwords. */
export async function startSignInServer({
  hasBuiltPages = false,
}: SignInServerOptions = {}): Promise<SignInServer> {
  const folder = temporaryFolder().path;
  const [provider, other] = await Promise.all([
    startOidcProvider(),
    startOidcProvider({ client: { id: 'public', secret: '' } }),
  ]);
  const testServer = await startTestServer({
    folder,
    ...(!hasBuiltPages && { pageFolder: pageFolderIn(folder) }),
    arrange: (_folder, vault) => {
      vault.putSecret({ path: 'adapters/oidc' }, { secret: provider.client.secret, seal: SEAL });
    },
  });
  const file = join(folder, 'gatehouse.yaml');
  const original = readFileSync(file, 'utf8');
  provider.redirectUri = other.redirectUri = `${testServer.url}/console/oidc/callback`;

  // The port is known now; the settings of sign-ins take effect after a reload.
  async function configure(publicUrl = testServer.url, more = '', keys: MoreKeys = {}): Promise<void> {
    const text = original
      .replace(/^server: .*$/m, `server: { listen: "127.0.0.1:0", publicUrl: "${publicUrl}" }`)
      .replace(/^auth: .*$/m, authBlock(provider, other, keys));
    writeFileSync(file, text + more);
    assert.deepEqual(await testServer.running.reload(), []);
  }

  function beginUrl(returnTo = '/docs', issuer = provider.url): string {
    return `${testServer.url}/console/oidc/begin?${new URLSearchParams({ issuer, return: returnTo }).toString()}`;
  }

  async function toProvider(browser: Browser, returnTo?: string, issuer?: string): Promise<Page> {
    await browser.type(`${testServer.url}/console/sign-in`);
    return browser.click(beginUrl(returnTo, issuer));
  }

  await configure();
  return {
    ...testServer,
    folder,
    provider,
    other,
    configure,
    beginUrl,
    toProvider,
    async signIn(browser, returnTo, issuer) {
      const [agree = ''] = (await toProvider(browser, returnTo, issuer)).links;
      return browser.click(agree);
    },
    async records() {
      const store = await openStore(`sqlite:${join(folder, 'data', 'gatehouse.db')}`);
      const all = await store.recentAudit(10_000);
      await store.close();
      return all.map(({ operation, status, outcome }) => `${operation} ${status} ${outcome}`);
    },
    async close() {
      await Promise.all([testServer.close(), provider.close(), other.close()]);
    },
  };
}

function authBlock(
  provider: OidcProvider,
  other: OidcProvider,
  { issuer = '', signIn = '' }: MoreKeys,
): string {
  const common = 'audience: gatehouse, discovery: true, algorithms: [ES256], rolesClaim: /realm_access/roles';
  const map = 'roleMap: { net-admins: admin, net-ops: engineering }';
  return `auth:
  signInSecret: $VAULT_adapters/oidc#seal
  local:
    keyFile: data/local-issuer.pem
    attempts: { perUser: 60 }
    users: [{ username: ada, passwordHash: '${cheapHash(ADA.password)}', roles: [admin] }]
  issuers:
    - { issuer: "${provider.url}", ${common}, ${map}, acceptIdTokens: true, ${issuer}
        signIn: { clientId: console, clientSecret: $VAULT_adapters/oidc#secret, name: Example, scopes: [profile], ${signIn} } }
    - { issuer: "${other.url}", ${common}, ${map}, signIn: { clientId: public } }`;
}

export function tokenOf({ cookies }: Browser): string | undefined {
  return cookies.find(({ name }) => name === 'token')?.value;
}

/** Returns the problem that the sign-in page receives after a failure. */
export function problemOf(page: Page): string | null {
  const { pathname, searchParams } = new URL(page.url);
  assert.equal(pathname, '/ui/sign-in');
  return searchParams.get('problem');
}
