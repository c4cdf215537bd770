import { asSettings } from '../../config/settings-schema.js';
import { type AccessAdapter, type AdapterPolicy, adapterPolicy } from '../../core/access-policy.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { accessSchema } from '../../settings/access.js';
import type { Desired, AdapterConfig } from './configuration.js';

/** Returns the access rules of each adapter, by adapterId. */
export function accessPolicies({ main, adapters }: Desired): ReadonlyMap<string, AdapterPolicy> {
  const { access } = asSettings(main.written.value);
  return new Map(adapters.map((adapter) => [adapter.id, adapterPolicy(accessAdapterOf(adapter), access)]));
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
  const isReadable = isValid || (Array.isArray(rules) && rules.every(isRule));
  return isReadable ? (rules as AccessAdapter['access']) : ADMITS_NOBODY;
}

const MEMBERS = Object.keys(accessSchema.items.properties);

function isRule(rule: unknown): boolean {
  if (!isJsonObject(rule)) return false;
  const members = Object.entries(rule);
  return members.every(([name, list]) => MEMBERS.includes(name) && Array.isArray(list) && list.every(isText));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Returns the list at a pointer; empty for any other value. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(value, pointer);
  return Array.isArray(list) ? list : [];
}
