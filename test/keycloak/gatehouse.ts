import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { callUrl, type CallResult } from '../support/call.js';
import { freePort } from '../support/free-port.js';
import { KeycloakBrowser } from '../support/keycloak-browser.js';
import { createRealm, type KeycloakRealm } from '../support/keycloak-realm.js';
import { sharedKeycloak } from '../support/keycloak.js';
import { keepOutput } from '../support/leak-scan.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A gatehouse that trusts a realm of a real Keycloak, as the guide describes it. */
export interface KeycloakSite {
  readonly url: string;
  readonly configPath: string;
  readonly realm: KeycloakRealm;
  readonly keycloak: ReturnType<typeof sharedKeycloak>;
  /** Lines of the log so far. */
  readonly logLines: readonly string[];
  /** Writes the configuration with other settings of the issuer, and applies it. */
  configure(settings: IssuerLines): Promise<void>;
  /** Stops gatehouse, runs the work, and starts gatehouse again. */
  restart(whileStopped: () => void): Promise<void>;
  /** Where a browser begins a sign-in that returns to `/docs`. */
  readonly beginUrl: string;
  /** Signs a person in with a new browser. */
  signIn(username?: string): Promise<KeycloakBrowser>;
  /** Returns the reply of an operation to a token. */
  call(path: string, token: string): Promise<CallResult>;
  /** Returns the roles that a token gives, sorted. */
  rolesOf(token: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Settings of the issuer that a story changes. */
interface IssuerLines {
  readonly issuer?: string;
  readonly rolesClaim?: string;
  readonly roleMap?: string;
  /** Further lines of the issuer. */
  readonly more?: string;
}

/** Time limit of the hooks that create and remove a realm, in milliseconds. */
export const REALM_MS = 120_000;

/**
 * Starts a site before the tests of a group, hands it to `onStart`, and closes it after the tests. `urlOf` returns another URL
 * under which people and gatehouse reach Keycloak.
 */
export function useKeycloakSite(
  onStart: (site: KeycloakSite) => void | Promise<void>,
  urlOf: (keycloakUrl: string) => string | Promise<string> = (url) => url,
): void {
  let site: KeycloakSite | undefined;
  before(async function () {
    this.timeout(REALM_MS);
    const keycloak = sharedKeycloak();
    site = await startKeycloakSite({ ...keycloak, url: await urlOf(keycloak.url) });
    await onStart(site);
  });
  after(async function () {
    this.timeout(REALM_MS);
    await site?.close();
  });
}

/** Starts a gatehouse with a realm of its own. */
async function startKeycloakSite(keycloak: KeycloakSite['keycloak']): Promise<KeycloakSite> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const realm = await createRealm(keycloak, { redirectUri: `${url}/console/oidc/callback` });
  const configPath = join(temporaryFolder().path, 'gatehouse.yaml');
  const logLines: string[] = [];
  const write = ({
    issuer = realm.issuer,
    rolesClaim = '/realm_access/roles',
    roleMap = '{ net-admins: admin, net-ops: engineering }',
    more = '',
  }: IssuerLines): void => {
    writeFileSync(
      configPath,
      `server: { listen: "127.0.0.1:${port}", publicUrl: "${url}" }
auth:
  local: { keyFile: data/local-issuer.pem }
  issuers:
    - issuer: ${issuer}
      audience: gatehouse
      discovery: true
      algorithms: [RS256]
      rolesClaim: ${rolesClaim}
      roleMap: ${roleMap}
      signIn: { clientId: gatehouse-console, clientSecret: ${realm.secret}, name: Company account }
      cli: { clientId: gatehouse-cli }
      ${more}
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
`,
    );
  };
  write({});
  const start = (): Promise<Server> =>
    createServer({
      configPath,
      env: {},
      clock: systemScheduler,
      logStream: new Writable({
        write(chunk: Buffer, _encoding, done) {
          keepOutput('server-log', chunk.toString());
          logLines.push(...chunk.toString().split('\n').filter(Boolean));
          done();
        },
      }),
    });
  let server = await start();
  const call: KeycloakSite['call'] = (path, token) => callUrl(url + path, { method: 'GET', token });
  const query = new URLSearchParams({ issuer: realm.issuer, return: '/docs' });
  const beginUrl = `${url}/console/oidc/begin?${query.toString()}`;
  return {
    url,
    configPath,
    beginUrl,
    async signIn(username = 'alice') {
      const browser = new KeycloakBrowser();
      await browser.open(beginUrl);
      await browser.submit({ username, password: realm.password });
      return browser;
    },
    realm,
    keycloak,
    logLines,
    call,
    async configure(settings) {
      write(settings);
      const faults = await server.reload();
      if (faults.length > 0) throw new Error(JSON.stringify(faults));
    },
    async restart(whileStopped) {
      await server.close();
      whileStopped();
      server = await start();
    },
    async rolesOf(token) {
      const { json } = await call('/whoami', token);
      return (json as { groups: { name: string }[] }).groups.map(({ name }) => name).sort();
    },
    async close() {
      await server.close();
      await realm.remove();
    },
  };
}
