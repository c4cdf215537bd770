import { done, ok, type DoubleReply } from './replies.js';
import type { Json, Token, VaultDoubleState } from './state.js';

type Policy = Readonly<Record<string, readonly string[]>>;

// The part of Vault's built-in policy "default" that applies to the API of the double.
const DEFAULT_POLICY: Policy = {
  'auth/token/lookup-self': ['read'],
  'auth/token/renew-self': ['update'],
  'auth/token/revoke-self': ['update'],
  'sys/leases/renew': ['update'],
  'sys/capabilities-self': ['update'],
};

/** Returns the capabilities that the policies of a token grant for a path; a `*` at the end of a rule matches any text. */
export function capabilitiesOf(
  { policies }: VaultDoubleState,
  token: Token,
  path: string,
): readonly string[] {
  if (token.policies.includes('root')) return ['root'];
  const granted = [DEFAULT_POLICY, ...token.policies.map((name) => policies.get(name) ?? {})]
    .flatMap((policy) => Object.entries(policy))
    .filter(([glob]) => (glob.endsWith('*') ? path.startsWith(glob.slice(0, -1)) : path === glob))
    .flatMap(([, capabilities]) => capabilities);
  return [...new Set(granted)].sort();
}

/** Returns true if a policy of the token has a rule below the mount; `sys/internal/ui/mounts` requires no more. */
export function reaches({ policies }: VaultDoubleState, token: Token, mount: string): boolean {
  const globs = token.policies.flatMap((name) => Object.keys(policies.get(name) ?? {}));
  return token.policies.includes('root') || globs.some((glob) => glob.startsWith(`${mount}/`));
}

/** Handles `POST sys/capabilities-self {paths: [path]}`. */
export function capabilitiesAnswer(vaultState: VaultDoubleState, token: Token, { paths }: Json): DoubleReply {
  const [path = ''] = paths as readonly string[];
  const granted = capabilitiesOf(vaultState, token, path);
  const data = { capabilities: granted.length === 0 ? ['deny'] : granted };
  return ok({ data, ...data });
}

/** Handles `PUT sys/policies/acl/NAME` with a policy in JSON. */
export function putPolicy({ policies }: VaultDoubleState, name: string, { policy }: Json): DoubleReply {
  const { path } = JSON.parse(String(policy)) as {
    path: Record<string, { capabilities: readonly string[] }>;
  };
  const rules = Object.entries(path).map(([glob, { capabilities }]) => [glob, capabilities] as const);
  policies.set(name, Object.fromEntries(rules));
  return done;
}
