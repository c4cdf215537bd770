import { matchesName } from '../lib/name-pattern.js';
import { CALL_OPERATIONS, type globalAccessSchema } from '../settings/access.js';
import type { FromSchema } from '../settings/from-schema.js';
import type { AccessRule } from './access.js';
import type { AllowedRoles } from './principal.js';

/** Name of an operation that sends calls through an adapter. */
export type CallOperation = (typeof CALL_OPERATIONS)[number];

/** Returns true for the name of an operation that sends calls through an adapter. */
export function isCallOperation(name: string): name is CallOperation {
  return CALL_OPERATIONS.some((operation) => operation === name);
}

/**
 * A rule of the key `access` of the main configuration. `adapters` and `tags` select the adapters that the rule is about; the
 * other members admit calls to them. An absent member selects or admits everything.
 */
export type GlobalAccessRule = FromSchema<typeof globalAccessSchema>[number];

/** A rule with its index in its list. */
export interface IndexedRule {
  readonly index: number;
  /** Name of a stored rule. */
  readonly name?: string;
  readonly rule: GlobalAccessRule;
}

/** The rules that decide about the calls to one adapter. A call needs a rule of each list that is not empty. */
export interface AdapterPolicy {
  readonly adapterId: string;
  /** Rules of the main configuration that select the adapter. */
  readonly global: readonly IndexedRule[];
  /** Rules of the key `access` of the adapter. */
  readonly own: readonly IndexedRule[];
  /** What stored rules add; absent without such rules. */
  readonly granted?: GrantedCalls;
}

/** An access rule that is a record of the API. It admits calls that the roles of the operation and the files do not. */
export interface StoredAccessRule {
  readonly name: string;
  readonly rule: GlobalAccessRule & Required<Pick<GlobalAccessRule, 'roles'>>;
}

/** What the stored rules add to the other rules of one adapter. */
export interface GrantedCalls {
  /** Roles that may call each operation without the stored rules. */
  readonly roles: Readonly<Record<CallOperation, AllowedRoles>>;
  /** Stored rules that select the adapter. */
  readonly rules: readonly IndexedRule[];
}

/** The parts of an adapter that rules need. */
export interface AccessAdapter {
  readonly adapterId: string;
  readonly tags: readonly string[];
  /** Rules of its key `access`. */
  readonly access: readonly AccessRule[];
}

export function adapterPolicy(adapter: AccessAdapter, rules: readonly GlobalAccessRule[]): AdapterPolicy {
  const indexed = rules.map((rule, index) => ({ index, rule }));
  return {
    adapterId: adapter.adapterId,
    global: indexed.filter(({ rule }) => selectsAdapter(rule, adapter)),
    own: adapter.access.map((rule, index) => ({ index, rule })),
  };
}

/** Returns true if the rule is about the adapter: one of `adapters` and one of `tags` match, if they are present. */
export function selectsAdapter({ adapters, tags }: GlobalAccessRule, adapter: AccessAdapter): boolean {
  return (
    (adapters?.some((pattern) => matchesName(pattern, adapter.adapterId)) ?? true) &&
    (tags?.some((pattern) => adapter.tags.some((tag) => matchesName(pattern, tag))) ?? true)
  );
}
