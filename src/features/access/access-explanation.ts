import {
  type AccessResult,
  type AccessStep,
  decideAccess,
  decideOperation,
} from '../../core/access-decision.js';
import {
  type AdapterPolicy,
  type GlobalAccessRule,
  type IndexedRule,
  isCallOperation,
} from '../../core/access-policy.js';
import { CALL_METHOD, type CalledMethod } from '../../core/adapter-method.js';
import type { AllowedRoles } from '../../core/principal.js';
import { CALL_OPERATIONS } from '../../settings/access.js';

/** A caller in a question about access. */
export interface AccessCaller {
  /** Name of a user, a client or the owner of a certificate; absent for roles without a name. */
  readonly subject?: string | undefined;
  /** Where the roles come from. */
  readonly source: 'user' | 'client' | 'certificate' | 'claims' | 'roles';
  readonly roles: readonly string[];
  /** Role names in the claims, before the role map; absent without a role map. */
  readonly tokenRoles?: readonly string[] | undefined;
}

/** The operation in a question about access. */
export interface AccessOperation {
  readonly name: string;
  readonly allowed: AllowedRoles;
  /** True if the key `roles` of the configuration names the operation. */
  readonly isConfigured: boolean;
}

/** A question about access. */
interface ExplanationInput {
  readonly caller: AccessCaller;
  readonly operation: AccessOperation;
  /** The adapter of a question about one adapter; absent: the call is about each of `policies`. */
  readonly adapter?: AdapterPolicy | undefined;
  /** Policies of all adapters. */
  readonly policies: readonly AdapterPolicy[];
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** The method of a call by name, if its adapter lists it. */
  readonly called?: CalledMethod | undefined;
}

/** A step of a decision with what it is decided by. */
export interface ExplainedStep extends AccessStep {
  /** Roles that may call the operation; only for the check of the operation. */
  readonly roles?: AllowedRoles;
  /** True if the configuration replaces the roles of the operation; only for the check of the operation. */
  readonly isConfigured?: boolean;
  /** The rules of `outcomes`, in their order. */
  readonly rules: readonly GlobalAccessRule[];
  /** Names of `rules`; only for stored rules. */
  readonly names?: readonly string[];
}

/** The answer to a question about access. */
export interface AccessExplanation {
  readonly caller: AccessCaller;
  readonly operation: string;
  readonly adapter?: string;
  readonly method?: string;
  readonly path?: string;
  readonly result: AccessResult;
  readonly steps: readonly ExplainedStep[];
  /** The result for each adapter, for a call without an adapter. */
  readonly adapters?: readonly { readonly adapter: string; readonly result: AccessResult }[];
}

/** Methods of operations that send only one. */
const FIXED_METHODS: Readonly<Record<string, string>> = {
  'orchestrator-manager.restQuery': 'GET',
  'adapters.callAdapterMethod': CALL_METHOD,
};

/**
 * Answers a question about access with the steps of the decision. The functions that decide are those that refuse calls, so
 * the answer is what a caller gets.
 */
export function explainAccess(input: ExplanationInput): AccessExplanation {
  const { caller, operation, policies, adapter, path, called } = input;
  const method = input.method ?? FIXED_METHODS[operation.name];
  const question = {
    caller,
    operation: operation.name,
    ...(adapter && { adapter: adapter.adapterId }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
  };
  const { allowed } = operation;
  if (!isCallOperation(operation.name)) {
    const step = decideOperation(allowed, caller);
    return { ...question, result: step.result, steps: [explained(step, input)] };
  }
  const call = { operation: operation.name, method, path, called };
  if (adapter) {
    const through = { call, policy: adapter };
    const { result, steps } = decideAccess({ principal: caller, allowed, through });
    return { ...question, result, steps: steps.map((step) => explained(step, input)) };
  }
  const step = decideOperation(allowed, caller);
  const adapters = policies.map((policy) => ({
    adapter: policy.adapterId,
    result: decideAccess({ principal: caller, allowed, through: { call, policy } }).result,
  }));
  const result = commonResult([step.result, ...adapters.map((row) => row.result)]);
  return {
    ...question,
    result,
    steps: [explained(step, input)],
    adapters,
  };
}

function explained(step: AccessStep, { operation, adapter }: ExplanationInput): ExplainedStep {
  if (step.check === 'operation')
    return { ...step, roles: operation.allowed, isConfigured: operation.isConfigured, rules: [] };
  const rules = rulesOfStep(step, adapter);
  const shown = step.outcomes.flatMap(({ rule: index }) => rules.find((one) => one.index === index) ?? []);
  const names = shown.flatMap(({ name }) => name ?? []);
  return { ...step, rules: shown.map(({ rule }) => rule), ...(names.length > 0 && { names }) };
}

function rulesOfStep({ check }: AccessStep, adapter: AdapterPolicy | undefined): readonly IndexedRule[] {
  if (check === 'granted') return adapter?.granted?.rules ?? [];
  return (check === 'global' ? adapter?.global : adapter?.own) ?? [];
}

/** Returns the result of all adapters: `depends` if they differ. The first result is that of the operation. */
function commonResult([operation, ...results]: readonly AccessResult[]): AccessResult {
  const [first = operation ?? 'denied', ...others] = results;
  return others.every((other) => other === first) ? first : 'depends';
}

/** Results of the calls through one adapter for one role, by operation. */
type CallResults = Readonly<Record<string, AccessResult>>;

/** Returns what a caller with one role may call through an adapter: by the roles of each operation, and by the rules. */
export function callResults(
  policy: AdapterPolicy,
  role: string,
  allowedOf: (operation: string) => AllowedRoles,
): CallResults {
  return Object.fromEntries(
    CALL_OPERATIONS.map((operation) => {
      const call = { operation, method: FIXED_METHODS[operation] };
      const question = { principal: { roles: [role] }, allowed: allowedOf(operation) };
      return [operation, decideAccess({ ...question, through: { call, policy } }).result];
    }),
  );
}
