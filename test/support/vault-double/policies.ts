import { type DoubleReply, ok } from './replies.js';
import { type Json, namespaceOf, type Token, type VaultDoubleState } from './state.js';

// The part of Vault's built-in policy "default" that applies to the API of the double.
const DEFAULT_POLICY: Readonly<Record<string, readonly string[]>> = {
  'auth/token/lookup-self': ['read'],
  'auth/token/renew-self': ['update'],
  'auth/token/revoke-self': ['update'],
  'sys/leases/renew': ['update'],
  'sys/capabilities-self': ['update'],
};

/**
 * Returns true if one of the token's policies grants the capability. `deny` wins, and the longest matching
 * path decides in each policy.
 */
export function isAllowed(
  vaultState: VaultDoubleState,
  token: Token,
  request: { readonly namespace: string; readonly path: string; readonly capability: string },
): boolean {
  const path = pathFrom(token.namespace, request.namespace, request.path);
  if (path === undefined) return false;
  const granted = grantedTo(vaultState, token, path);
  return granted.includes('root') || (granted.includes(request.capability) && !granted.includes('deny'));
}

/** Returns a path of a namespace as seen from the namespace of a token; undefined if that is not above it. */
export function pathFrom(own: string, namespace: string, path: string): string | undefined {
  if (own === namespace) return path;
  if (own === '') return `${namespace}/${path}`;
  return namespace.startsWith(`${own}/`) ? `${namespace.slice(own.length + 1)}/${path}` : undefined;
}

function grantedTo(vaultState: VaultDoubleState, token: Token, path: string): readonly string[] {
  if (token.policies.includes('root')) return ['root'];
  const { policies } = namespaceOf(vaultState, token.namespace);
  return [DEFAULT_POLICY, ...token.policies.map((name) => policies.get(name) ?? {})].flatMap((policy) =>
    capabilities(policy, path),
  );
}

/** Handles `POST sys/capabilities-self {paths}`; undefined for all other requests. */
export function capabilitiesAnswer(
  vaultState: VaultDoubleState,
  token: Token,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Json },
): DoubleReply | undefined {
  if (method !== 'POST' || path !== 'sys/capabilities-self') return undefined;
  const paths = body['paths'] as readonly string[];
  const found = paths.map((one) => {
    const granted = [...new Set(grantedTo(vaultState, token, one))].sort();
    return [one, granted.length === 0 || granted.includes('deny') ? ['deny'] : granted] as const;
  });
  const data = { ...(found.length === 1 && { capabilities: found[0]?.[1] }), ...Object.fromEntries(found) };
  const reply = ok({ data });
  return { ...reply, body: { ...(reply.body as Json), ...data } };
}

/**
 * True when some policy of the token reaches below the mount; sys/internal/ui/mounts asks no more than that.
 */
export function reaches(vaultState: VaultDoubleState, token: Token, mount: string): boolean {
  if (token.policies.includes('root')) return true;
  const { policies } = namespaceOf(vaultState, token.namespace);
  return token.policies.some((name) =>
    Object.keys(policies.get(name) ?? {}).some((glob) => glob.startsWith(`${mount}/`)),
  );
}

function capabilities(policy: Readonly<Record<string, readonly string[]>>, path: string): readonly string[] {
  const matching = Object.keys(policy).filter((glob) => matches(glob, path));
  const [longest] = matching.sort((a, b) => b.length - a.length);
  return longest === undefined ? [] : (policy[longest] ?? []);
}

/** Matches a path: `*` at the end matches any text, `+` matches one segment. */
function matches(glob: string, path: string): boolean {
  const escaped = glob.replace(/[.?^${}()|[\]\\]/g, '\\$&').replaceAll('+', '[^/]+');
  return new RegExp(`^${escaped.replace(/\*$/, '.*')}$`).test(path);
}
