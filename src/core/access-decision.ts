import { matchesName } from '../lib/name-pattern.js';
import { CALL_BY_NAME, CALL_OPERATIONS } from '../settings/access.js';
import type { AdapterPolicy, CallOperation, GlobalAccessRule, IndexedRule } from './access-policy.js';
import { matchesPath, MAX_RULE_PATH_LENGTH } from './access.js';
import { type CalledMethod, methodOfPath } from './adapter-method.js';
import { type AllowedRoles, admits, type Principal, READERS, type RoleHolder } from './principal.js';
import { Problem } from './problem.js';

/**
 * A call through an adapter. Without a method or a path, it means all methods or paths: a rule that names
 * some of them then neither admits nor refuses all these calls.
 */
export interface AdapterCall {
  readonly operation: CallOperation;
  /** HTTP method in upper case, or `CALL` for calls of the adapter's methods by name. */
  readonly method?: string | undefined;
  /** Path as the caller sent it; the query is ignored. */
  readonly path?: string | undefined;
  /** The method of a call by name; absent: that of the path, with unknown tags and effect. */
  readonly called?: CalledMethod | undefined;
}

/** A call through a named adapter, about which the access rules decide. */
export interface AddressedCall extends AdapterCall {
  readonly adapterId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Throws what a direct call of the principal would throw: `forbidden` without a role of the operation, `adapter_not_found`, and
 * `adapter_forbidden` if the access rules do not admit the call.
 */
export type RequireCallAccess = (call: AddressedCall, principal: Principal | undefined) => void;

/** A decision: all calls in question are allowed, none, or it depends on the method and the path. */
export type AccessResult = 'allowed' | 'depends' | 'denied';

/** Member of a rule that does not admit the call. */
type RuleMember = (typeof RULE_MEMBERS)[number];

/** Members of a rule that admit calls. */
export const RULE_MEMBERS = [
  'roles',
  'operations',
  'methods',
  'paths',
  'methodNames',
  'methodTags',
  'methodEffects',
] as const;

/** What one rule says about a call. */
export interface RuleOutcome {
  /** Index of the rule in its list. */
  readonly rule: number;
  readonly result: AccessResult;
  /** First member that does not admit the call; for `depends`, the first member that admits only some calls. */
  readonly member?: RuleMember;
}

/** One step of a decision. A call needs all steps; `granted` makes up for those before. */
export interface AccessStep {
  /**
   * `operation`: the roles of the operation; `global`: the rules of the main configuration that select the adapter;
   * `granted`: the stored rules that select the adapter, which admit calls in place of both; `adapter`: the rules of the adapter.
   */
  readonly check: 'operation' | 'global' | 'granted' | 'adapter';
  readonly result: AccessResult;
  /** Index of the rule that decides; absent if no rule admits the call, and without rules. */
  readonly rule?: number;
  /** Outcomes of the rules up to the one that decides; empty without rules, and for `operation`. */
  readonly outcomes: readonly RuleOutcome[];
}

/** A decision with the steps up to the one that denies the call. */
interface AccessDecision {
  readonly result: AccessResult;
  readonly steps: readonly AccessStep[];
}

/** Input of {@link decideAccess}. */
interface AccessQuestion {
  readonly principal: RoleHolder | undefined;
  /** Roles that may call the operation. */
  readonly allowed: AllowedRoles;
  /** The call through an adapter, with the rules of the adapter; absent for an operation that needs none. */
  readonly through?: { readonly call: AdapterCall; readonly policy: AdapterPolicy };
}

/** Decides whether a caller may call an operation, and if so whether the rules admit the call through the adapter. */
export function decideAccess({ principal, allowed, through }: AccessQuestion): AccessDecision {
  const operation = decideOperation(allowed, principal);
  if (!through || (operation.result === 'denied' && !through.policy.granted))
    return { result: operation.result, steps: [operation] };
  const ofAdapter = decideAdapterCall(through.policy, through.call, principal?.roles ?? []);
  return { result: ofAdapter.result, steps: [operation, ...ofAdapter.steps] };
}

/** Decides whether a caller may call an operation. {@link Principal} is undefined for a caller without a token. */
export function decideOperation(allowed: AllowedRoles, principal: RoleHolder | undefined): AccessStep {
  return { check: 'operation', result: admits(allowed, principal) ? 'allowed' : 'denied', outcomes: [] };
}

/** Decides whether the rules of an adapter admit a call. */
export function decideAdapterCall(
  policy: AdapterPolicy,
  call: AdapterCall,
  roles: readonly string[],
): AccessDecision {
  const outer = decideOuter(policy, { call, roles });
  const best = OUTER_RESULTS.find((result) => outer.some((step) => step.result === result)) ?? 'denied';
  if (best === 'denied') return { result: 'denied', steps: outer };
  const ownStep = decideRules('adapter', policy.own, { call, roles });
  const result = ownStep.result === 'allowed' ? best : ownStep.result;
  return { result, steps: [...outer, ownStep] };
}

const OUTER_RESULTS = ['allowed', 'depends'] as const satisfies readonly AccessResult[];

/**
 * Decides by the rules outside of the adapter, of which one step must admit the call. With stored rules, the rules of the files count
 * only for callers whom the operation admits without the stored rules.
 */
function decideOuter({ global, granted }: AdapterPolicy, input: RuleInput): readonly AccessStep[] {
  if (!granted) return [decideRules('global', global, input)];
  const isPermitted = admits(granted.roles[input.call.operation], input);
  const steps = isPermitted ? [decideRules('global', global, input)] : [];
  if (steps[0]?.result === 'allowed' || (isPermitted && granted.rules.length === 0)) return steps;
  const byGrant: AccessStep =
    granted.rules.length === 0
      ? { check: 'granted', result: 'denied', outcomes: [] }
      : decideRules('granted', granted.rules, input);
  return [...steps, byGrant];
}

/** A call with the roles of its caller. */
interface RuleInput {
  readonly call: AdapterCall;
  readonly roles: readonly string[];
}

/** Decides by a list of rules, of which one must admit the call. An empty list admits every call. */
function decideRules(
  check: AccessStep['check'],
  rules: readonly IndexedRule[],
  input: RuleInput,
): AccessStep {
  if (rules.length === 0) return { check, result: 'allowed', outcomes: [] };
  const outcomes: RuleOutcome[] = [];
  for (const { index, rule } of rules) {
    const outcome = { rule: index, ...outcomeOf(rule, input) };
    outcomes.push(outcome);
    if (outcome.result === 'allowed') return { check, result: 'allowed', rule: index, outcomes };
  }
  const open = outcomes.find(({ result }) => result === 'depends');
  return { check, result: open ? 'depends' : 'denied', ...(open && { rule: open.rule }), outcomes };
}

/** The first member that denies decides; without one, the first that admits only some calls. */
function outcomeOf(rule: GlobalAccessRule, input: RuleInput): Omit<RuleOutcome, 'rule'> {
  let open: RuleMember | undefined;
  for (const member of RULE_MEMBERS) {
    const result = CHECKS[member](rule, input);
    if (result === 'denied') return { result, member };
    if (result === 'depends') open ??= member;
  }
  return open ? { result: 'depends', member: open } : { result: 'allowed' };
}

type RuleCheck = (rule: GlobalAccessRule, input: RuleInput) => AccessResult;

const CHECKS: Readonly<Record<RuleMember, RuleCheck>> = {
  roles: ({ roles: accepted }, { roles }) => resultOf(accepted?.some((role) => roles.includes(role))),
  operations: ({ operations }, { call }) => resultOf(operations?.includes(call.operation)),
  methods: ({ methods }, { call }) => methodResult(methods, call.method),
  paths: ({ paths }, { call }) => pathResult(paths, call.path),
  methodNames: calledCheck('methodNames', ({ name }) => (name === undefined ? undefined : [name])),
  methodTags: calledCheck('methodTags', ({ tags }) => tags),
  methodEffects: calledCheck('methodEffects', ({ effect }) => effect && [effect]),
};

/** A member that is absent admits every call. */
function resultOf(isAdmitted = true): AccessResult {
  return isAdmitted ? 'allowed' : 'denied';
}

/** Returns the check of a member about methods of adapters: a rule with it admits no other calls. */
function calledCheck(
  member: 'methodNames' | 'methodTags' | 'methodEffects',
  wordsOf: (called: CalledMethod) => readonly string[] | undefined,
): RuleCheck {
  return ({ [member]: patterns }, { call: { operation, path, called = { name: methodOfPath(path) } } }) => {
    if (!patterns) return 'allowed';
    if (operation !== CALL_BY_NAME) return 'denied';
    const words = wordsOf(called);
    if (!words) return 'depends';
    return resultOf(patterns.some((pattern) => words.some((word) => matchesName(pattern, word))));
  };
}

function methodResult(methods: readonly string[] | undefined, method: string | undefined): AccessResult {
  if (!methods) return 'allowed';
  if (method === undefined) return 'depends';
  return methods.includes(method) ? 'allowed' : 'denied';
}

function pathResult(paths: readonly string[] | undefined, path: string | undefined): AccessResult {
  if (path === undefined) return paths ? 'depends' : 'allowed';
  return admitsPath(paths, path) ? 'allowed' : 'denied';
}

/** Compares paths as written, without decoding: an encoded letter does not match the plain letter. */
function admitsPath(paths: readonly string[] | undefined, path: string): boolean {
  if (path.length > MAX_RULE_PATH_LENGTH) return false;
  return paths?.some((pattern) => matchesPath(pattern, path)) ?? true;
}

/**
 * Returns true if the rules may admit at least one call of a caller with these roles. Lists for callers show only such
 * adapters.
 */
export function mayUseAdapter(policy: AdapterPolicy, roles: readonly string[]): boolean {
  // The roles of the operations do not count here: without rules, every caller may see the adapter.
  const { granted, ...rest } = policy;
  const global = rest.global.length > 0 && granted ? [...rest.global, ...granted.rules] : rest.global;
  return CALL_OPERATIONS.some(
    (operation) => decideAdapterCall({ ...rest, global }, { operation }, roles).result !== 'denied',
  );
}

/** Throws `adapter_forbidden` if the rules admit no call of a caller with these roles. */
export function requireUsable(policy: AdapterPolicy, roles: readonly string[]): void {
  if (mayUseAdapter(policy, roles)) return;
  throw new Problem(
    'adapter_forbidden',
    `the access rules admit no call through the adapter "${policy.adapterId}" for your roles`,
  );
}

/**
 * Returns true if a caller may see that an adapter exists: readers of the management, and callers that its rules may admit.
 * An adapter without a policy is not served yet.
 */
export function maySeeAdapter(policy: AdapterPolicy | undefined, principal: RoleHolder | undefined): boolean {
  return (
    admits(READERS, principal) || (policy !== undefined && mayUseAdapter(policy, principal?.roles ?? []))
  );
}

/** Throws `adapter_forbidden` if the rules of an adapter do not admit the call. */
export function checkAccess(
  policy: AdapterPolicy,
  call: AdapterCall & { readonly method: string; readonly path: string },
  principal: RoleHolder | undefined,
): void {
  const { result, steps } = decideAdapterCall(policy, call, principal?.roles ?? []);
  // The tags of a method are known when the adapter has listed it; the call is then checked again.
  if (result === 'allowed' || (result === 'depends' && call.called?.tags === undefined)) return;
  throw new Problem('adapter_forbidden', REFUSALS[steps.at(-1)?.check ?? 'adapter'](call.method));
}

const REFUSALS: Readonly<Record<AccessStep['check'], (method: string) => string>> = {
  operation: (method) => `the roles of the operation do not admit ${method} for your roles`,
  global: (method) =>
    `the access rules of the main configuration for the adapter do not admit ${method} with this operation and path for your roles`,
  granted: (method) =>
    `neither the main configuration nor a stored access rule for the adapter admits ${method} with this operation and path for your roles`,
  adapter: (method) => `the adapter's access rules do not admit ${method} at this path for your roles`,
};
