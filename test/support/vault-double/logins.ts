import { X509Certificate } from 'node:crypto';
import { failure, ok, type DoubleReply } from './replies.js';
import { authBlock } from './tokens.js';
import { wrap, type WrapHook } from './wrapping.js';
import {
  issueToken,
  namespaceOf,
  type Json,
  type LoginRole,
  type TokenTerms,
  type VaultDoubleState,
} from './state.js';

/** Location of a login method. */
export interface LoginMount {
  readonly namespace: string;
  readonly mount: string;
}

/** Sets the default lifetime of a role's tokens, twenty minutes. */
export function lasting(terms: TokenTerms): TokenTerms {
  return { ...(terms.period === undefined && { ttl: 1200 }), ...terms };
}

/** The reply to a login that succeeded. */
export function loggedIn(
  vaultState: VaultDoubleState,
  { namespace, mount, role, terms }: LoginMount & { readonly role: string; readonly terms: TokenTerms },
): DoubleReply {
  const token = issueToken(vaultState, { ...terms, namespace, path: `auth/${mount}/login` });
  return ok({ auth: authBlock(token, token.creationTtl, { role_name: role }) });
}

/**
 * Handles `POST auth/<mount>/login` for `kubernetes`, `jwt` and `cert`; undefined if the mount does not
 * exist.
 */
export function roleLogin(
  vaultState: VaultDoubleState,
  at: LoginMount,
  { body, certificate }: { readonly body: Json; readonly certificate: string | undefined },
): DoubleReply | undefined {
  const kind = [...rolesAt(vaultState, at).values()][0]?.kind;
  if (!kind) return undefined;
  if (kind === 'cert') return certificateLogin(vaultState, at, { name: body['name'], certificate });
  return kind === 'jwt' ? jwtLogin(vaultState, at, body) : kubernetesLogin(vaultState, at, body);
}

function kubernetesLogin(vaultState: VaultDoubleState, at: LoginMount, { role, jwt }: Json): DoubleReply {
  if (typeof jwt !== 'string') return failure(400, 'missing jwt');
  if (typeof role !== 'string') return failure(400, 'missing role');
  const found = rolesAt(vaultState, at).get(role);
  if (!found) return failure(400, `invalid role name "${role}"`);
  if (found.credential !== jwt) return failure(403, 'permission denied');
  return loggedIn(vaultState, { ...at, role, terms: found.terms });
}

function jwtLogin(vaultState: VaultDoubleState, at: LoginMount, { role: asked, jwt }: Json): DoubleReply {
  const roles = rolesAt(vaultState, at);
  const role = typeof asked === 'string' ? asked : ([...roles.keys()][0] ?? '');
  if (typeof jwt !== 'string') return failure(400, 'missing token');
  const found = roles.get(role);
  if (!found) return failure(400, `role "${role}" could not be found`);
  if (found.credential !== jwt)
    return failure(400, 'error validating token: error verifying token signature');
  return loggedIn(vaultState, { ...at, role, terms: found.terms });
}

function rolesAt(
  vaultState: VaultDoubleState,
  { namespace, mount }: LoginMount,
): ReadonlyMap<string, LoginRole> {
  return namespaceOf(vaultState, namespace).loginRoles.get(mount) ?? new Map<string, LoginRole>();
}

function certificateLogin(
  vaultState: VaultDoubleState,
  at: LoginMount,
  { name, certificate }: { readonly name: unknown; readonly certificate: string | undefined },
): DoubleReply {
  const roles = [...rolesAt(vaultState, at)];
  if (certificate === undefined) return failure(400, 'invalid certificate or no client certificate supplied');
  const fitting = roles.find(
    ([role, { credential }]) => credential === certificate && (name === undefined || name === role),
  );
  if (!fitting)
    return failure(400, 'no chain matching all constraints could be found for this login certificate');
  return loggedIn(vaultState, { ...at, role: fitting[0], terms: fitting[1].terms });
}

/** A role of a method other than AppRole. */
export interface LoginRoleOptions extends TokenTerms {
  readonly kind: LoginRole['kind'];
  /** The JSON Web Token that is accepted, or the certificate in PEM. */
  readonly credential: string;
  readonly mount?: string;
  readonly namespace?: string;
}

/** Functions with which a test prepares logins. */
export interface RoleHooks {
  createLoginRole(name: string, options: LoginRoleOptions): void;
  /** Wraps a reply; returns the wrapping token. */
  readonly wrap: WrapHook;
}

export function roleHooks(vaultState: VaultDoubleState): RoleHooks {
  return {
    createLoginRole: (name, { kind, credential, mount = kind, namespace = '', ...terms }) => {
      const { loginRoles } = namespaceOf(vaultState, namespace);
      const roles = loginRoles.get(mount) ?? new Map<string, LoginRole>();
      loginRoles.set(mount, roles);
      const known = kind === 'cert' ? new X509Certificate(credential).fingerprint256 : credential;
      roles.set(name, { kind, credential: known, terms: lasting(terms) });
    },
    wrap: (creationPath, parts, ttl = 300) => wrap(vaultState, { creationPath, parts, ttl }),
  };
}
