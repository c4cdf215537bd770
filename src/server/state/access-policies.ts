import { asSettings } from '../../config/settings-schema.js';
import {
  type AccessAdapter,
  type AdapterPolicy,
  adapterPolicy,
  type GrantedCalls,
  isCallOperation,
  type StoredAccessRule,
  type CallOperation,
  type IndexedRule,
  selectsAdapter,
} from '../../core/access-policy.js';
import type { NamedRecord, PlatformState } from '../../core/platform-state.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { accessSchema, CALL_OPERATIONS, globalAccessSchema } from '../../settings/access.js';
import type { Settings } from '../../settings/settings.js';
import type { Desired, AdapterConfig } from './configuration.js';

/** Roles that may call each operation that sends calls through adapters, by the key `roles`. */
export type CallRoles = (roles: Settings['roles']) => GrantedCalls['roles'];

/** Returns the access rules of each adapter, by adapterId. */
export function accessPolicies(
  { main, adapters, state }: Desired,
  callRoles: CallRoles,
  stored: readonly StoredAccessRule[] = validAccessRules(state),
): ReadonlyMap<string, AdapterPolicy> {
  const { access, roles } = asSettings(main.written.value);
  const rolesOfCalls = stored.length > 0 ? callRoles(roles) : undefined;
  return new Map(
    adapters.map((config) => {
      const adapter = accessAdapterOf(config);
      const granted = rolesOfCalls && { roles: rolesOfCalls, rules: grantsOf(adapter, stored) };
      return [config.id, { ...adapterPolicy(adapter, access), ...(granted && { granted }) }];
    }),
  );
}

/** Returns the roles that stored access rules add to each operation that sends calls through adapters. */
export function rolesByGrant(state: PlatformState): ReadonlyMap<string, readonly string[]> {
  const stored = validAccessRules(state);
  if (stored.length === 0) return new Map();
  return new Map(CALL_OPERATIONS.map((operation) => [operation, grantedRoles(stored, operation)]));
}

/** Returns the stored access rules that can be read. One that cannot be read admits nothing. */
export function validAccessRules({ accessRules }: PlatformState): readonly StoredAccessRule[] {
  return accessRules
    .filter(({ document }) => isStoredRule(document))
    .map(({ name, document }) => ({ name, rule: document as unknown as StoredAccessRule['rule'] }));
}

const STORED_MEMBERS = Object.keys(globalAccessSchema.items.properties);

function isStoredRule(document: NamedRecord['document']): boolean {
  const operations = listAt(document, '/operations');
  return (
    isRule(document, STORED_MEMBERS) &&
    listAt(document, '/roles').length > 0 &&
    operations.every((name) => isCallOperation(String(name)))
  );
}

/** Returns the parts of an adapter that access rules need. */
export function accessAdapterOf({ id, written, recordFault }: AdapterConfig): AccessAdapter {
  return {
    adapterId: id,
    tags: listAt(written.value, '/tags').filter((tag) => typeof tag === 'string'),
    access: ownRules(valueAt(written.value, '/access'), recordFault === undefined),
  };
}

const ADMITS_NOBODY: AccessAdapter['access'] = [{ roles: [] }];

/**
 * Returns the rules of an adapter. The schema has validated them, unless the adapter was registered with an older schema or its
 * plugin is gone; then it is DEAD, and rules that cannot be read admit nobody.
 */
function ownRules(rules: unknown = [], isValid: boolean): AccessAdapter['access'] {
  const isReadable = isValid || (Array.isArray(rules) && rules.every((rule) => isRule(rule, MEMBERS)));
  return isReadable ? (rules as AccessAdapter['access']) : ADMITS_NOBODY;
}

const MEMBERS = Object.keys(accessSchema.items.properties);

function isRule(rule: unknown, known: readonly string[]): boolean {
  if (!isJsonObject(rule)) return false;
  const members = Object.entries(rule);
  return members.every(([name, list]) => known.includes(name) && Array.isArray(list) && list.every(isText));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Returns the list at a pointer; empty for any other value. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(value, pointer);
  return Array.isArray(list) ? list : [];
}

/** Returns the stored rules that select an adapter. */
function grantsOf(adapter: AccessAdapter, stored: readonly StoredAccessRule[]): readonly IndexedRule[] {
  return stored
    .map(({ name, rule }, index) => ({ index, name, rule }))
    .filter(({ rule }) => selectsAdapter(rule, adapter));
}

/** Returns the roles that stored rules admit to an operation, whatever the adapter. */
function grantedRoles(stored: readonly StoredAccessRule[], operation: CallOperation): readonly string[] {
  const rules = stored.filter(({ rule }) => rule.operations?.includes(operation) ?? true);
  return [...new Set(rules.flatMap(({ rule }) => rule.roles))];
}
