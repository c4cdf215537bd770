import { randomBytes } from 'node:crypto';
import type { Keycloak } from './keycloak.js';

/** A realm with the clients and people of the stories. */
export interface KeycloakRealm {
  readonly name: string;
  readonly issuer: string;
  /** Secret of the client `gatehouse-console`. */
  readonly secret: string;
  /** Password of every person. */
  readonly password: string;
  /** Returns an access token of a person, through the client `gatehouse-cli` or another client. */
  tokenOf(username: string, clientId?: string): Promise<string>;
  remove(): Promise<void>;
}

/** Changes settings of a client of the realm. */
export async function changeClient(
  { admin }: Pick<Keycloak, 'admin'>,
  { name }: Pick<KeycloakRealm, 'name'>,
  change: { readonly clientId: string; readonly attributes: Readonly<Record<string, string>> },
): Promise<void> {
  const path = `/${name}/clients`;
  const [client] = (await admin('GET', `${path}?clientId=${change.clientId}`)) as {
    id: string;
    attributes: object;
  }[];
  if (!client) throw new Error(`the realm has no client ${change.clientId}`);
  const attributes = { ...client.attributes, ...change.attributes };
  await admin('PUT', `${path}/${client.id}`, { ...client, attributes });
}

const PEOPLE = [
  { username: 'alice', realmRoles: ['net-admins'] },
  { username: 'bob', realmRoles: ['net-ops'] },
  { username: 'carol', clientRoles: { gatehouse: ['admin'] } },
];

/** Mapper that adds the audience of gatehouse to access tokens, as the guide says. */
const AUDIENCE_MAPPER = {
  name: 'gatehouse',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': 'gatehouse', 'access.token.claim': 'true' },
};

/** Creates a realm as the guide of Keycloak describes it. */
export async function createRealm(
  { url, admin }: Pick<Keycloak, 'url' | 'admin'>,
  { redirectUri }: { readonly redirectUri: string },
): Promise<KeycloakRealm> {
  const name = `net-${randomBytes(4).toString('hex')}`;
  const [secret, password] = [randomBytes(16).toString('hex'), `pw-${randomBytes(8).toString('hex')}`];
  await admin('POST', '', {
    realm: name,
    enabled: true,
    sslRequired: 'none',
    roles: {
      realm: [{ name: 'net-admins' }, { name: 'net-ops' }],
      client: { gatehouse: [{ name: 'admin' }] },
    },
    clients: [
      { clientId: 'gatehouse', enabled: true, publicClient: false },
      {
        clientId: 'gatehouse-console',
        secret,
        standardFlowEnabled: true,
        redirectUris: [redirectUri],
        attributes: { 'pkce.code.challenge.method': 'S256' },
        protocolMappers: [AUDIENCE_MAPPER],
      },
      {
        clientId: 'gatehouse-cli',
        publicClient: true,
        standardFlowEnabled: true,
        directAccessGrantsEnabled: true,
        redirectUris: ['http://127.0.0.1/*'],
        attributes: {
          'oauth2.device.authorization.grant.enabled': 'true',
          'oauth2.device.polling.interval': '1',
          'pkce.code.challenge.method': 'S256',
        },
        protocolMappers: [AUDIENCE_MAPPER],
      },
    ],
    users: PEOPLE.map((person) => ({
      ...person,
      enabled: true,
      email: `${person.username}@example.org`,
      emailVerified: true,
      firstName: person.username,
      lastName: 'Example',
      credentials: [{ type: 'password', value: password, temporary: false }],
    })),
  });
  const issuer = `${url}/realms/${name}`;
  return {
    name,
    issuer,
    secret,
    password,
    async tokenOf(username, clientId = 'gatehouse-cli') {
      const form = {
        grant_type: 'password',
        client_id: clientId,
        scope: 'openid',
        username,
        password,
      };
      const response = await fetch(`${issuer}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`Keycloak gives ${username} no token: ${response.status}`);
      return token;
    },
    remove: async () => {
      await admin('DELETE', `/${name}`);
    },
  };
}
