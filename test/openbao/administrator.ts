import type { VaultAdministrator } from '../contracts/vault-contract.js';
import { makeCertificate } from '../support/certificates.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import type { StoredSecret } from '../support/vault-double.js';
import { lasting } from '../support/vault-double/logins.js';
import type { Json, TokenTerms } from '../support/vault-double/state.js';
import { withHttps } from './bench.js';

/** Starts a server with https and the mounts of the Vault double; its method `jwt` trusts the key, in PEM. */
export async function startAdministeredOpenBao(jwtKey: string): Promise<VaultAdministrator> {
  const listener = await makeCertificate({ ip: '127.0.0.1' });
  const bao = await startOpenBao(withHttps(listener));

  try {
    await bao.initialize();
    const post = (path: string, body: Json) => bao.ask('POST', path, { body });
    await post('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await post('sys/mounts/kv', { type: 'kv', options: { version: '1' } });
    for (const type of ['approle', 'jwt', 'cert']) await post(`sys/auth/${type}`, { type });
    await post('auth/jwt/config', { jwt_validation_pubkeys: [jwtKey], default_role: 'edge' });
    return administer(bao, post);
  } catch (error) {
    await bao.close();
    throw error;
  }
}

type PostRequest = (path: string, body: Json) => ReturnType<OpenBao['ask']>;

function administer(bao: OpenBao, post: PostRequest): VaultAdministrator {
  const ofVersion = async (verb: string, { mount = 'secret', path }: StoredSecret, version: number) => {
    await post(`${mount}/${verb}/${path}`, { versions: [version] });
  };
  return {
    address: bao.address,
    rootToken: bao.token,
    seal: () => bao.seal(),
    unseal: () => bao.unseal(),
    close: () => bao.close(),
    mountDatabase: async (name) => {
      await post(`sys/mounts/${name}`, { type: 'database' });
    },
    putPolicy: async (name, paths) => {
      const rules = Object.entries(paths).map(([path, capabilities]) => [path, { capabilities }] as const);
      const policy = JSON.stringify({ path: Object.fromEntries(rules) });
      await bao.ask('PUT', `sys/policies/acl/${name}`, { body: { policy } });
    },
    putSecret: (place, data) => putSecret(bao, place, data),
    deleteVersion: (place, version) => ofVersion('delete', place, version),
    destroyVersion: (place, version) => ofVersion('destroy', place, version),
    createToken: async (terms) => {
      const body = { ...termsOf(terms, ''), explicit_max_ttl: terms.maxTtl, no_parent: true };
      return String((await post('auth/token/create', body)).auth['client_token']);
    },
    createAppRole: async (name, terms) => {
      const path = `auth/approle/role/${name}`;
      await post(path, termsOf(lasting(terms), 'token_'));
      const { data: role } = await bao.ask('GET', `${path}/role-id`);
      const { data: secret } = await post(`${path}/secret-id`, {});
      return { roleId: String(role['role_id']), secretId: String(secret['secret_id']) };
    },
    createLoginRole: async (name, { kind, credential, ...terms }) => {
      const [path, accepted] =
        kind === 'cert'
          ? [`auth/cert/certs/${name}`, { certificate: credential }]
          : [`auth/${kind}/role/${name}`, acceptedBy(credential)];
      await post(path, { ...termsOf(lasting(terms), 'token_'), ...accepted });
    },
    wrap: async (creationPath) => {
      const headers = { 'x-vault-wrap-ttl': '300' };
      const { wrap_info: info } = await bao.ask('POST', creationPath, { headers });
      return String(info['token']);
    },
  };
}

/** Writes a secret, once a new engine of KV version 2 is ready. */
async function putSecret(
  bao: OpenBao,
  { mount = 'secret', path }: StoredSecret,
  data: Json,
): Promise<number> {
  const isVersioned = mount === 'secret';
  const url = `${mount}/${isVersioned ? 'data/' : ''}${encodeURI(path)}`;
  for (let left = 100; ; left -= 1) {
    const allow = left > 0 ? [400] : [];
    const reply = await bao.ask('POST', url, { body: isVersioned ? { data } : data, allow });
    if (reply.status !== 400) return Number(reply.data['version'] ?? 0);
  }
}

/** Returns the terms of tokens under their names in Vault; those of a role have a prefix. */
function termsOf(terms: TokenTerms, prefix: string): Json {
  const { policies, ttl, renewable, type, period, numUses } = terms;
  const named = { policies, ttl, period, type, num_uses: numUses };
  const entries = Object.entries(named).map(([name, value]) => [`${prefix}${name}`, value] as const);
  return { ...Object.fromEntries(entries), renewable };
}

/** Returns the rules of a role of the method `jwt` for the subject of a token. */
function acceptedBy(jwt: string): Json {
  const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
  const { sub, aud } = JSON.parse(payload) as Json;
  return { role_type: 'jwt', user_claim: 'sub', bound_subject: sub, bound_audiences: [aud] };
}
