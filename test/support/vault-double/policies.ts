import { namespaceOf, type Token, type VaultDoubleState } from './state.js';

// The part of Vault's built-in policy "default" that applies to the API of the double.
const DEFAULT_POLICY: Readonly<Record<string, readonly string[]>> = {
  'auth/token/lookup-self': ['read'],
  'auth/token/renew-self': ['update'],
  'auth/token/revoke-self': ['update'],
  'sys/leases/renew': ['update'],
};

/**
 * Returns true if one of the token's policies grants the capability. `deny` wins, and the longest matching
 * path decides in each policy.
 */
export function isAllowed(
  vaultState: VaultDoubleState,
  token: Token,
  request: { path: string; capability: string },
): boolean {
  if (token.policies.includes('root')) return true;
  const { policies } = namespaceOf(vaultState, token.namespace);
  const granted = [DEFAULT_POLICY, ...token.policies.map((name) => policies.get(name) ?? {})].flatMap(
    (policy) => capabilities(policy, request.path),
  );
  return granted.includes(request.capability) && !granted.includes('deny');
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
