import { type AccessAdapter, type AdapterPolicy, adapterPolicy } from '../../core/access-policy.js';
import { asSettings } from '../../config/settings-schema.js';
import { valueAt } from '../../core/pointer.js';
import type { Desired, DesiredAdapter } from './desired-state.js';

/** Returns the access rules of each adapter, by adapterId. */
export function accessPolicies({
  main,
  adapters,
}: Pick<Desired, 'main' | 'adapters'>): ReadonlyMap<string, AdapterPolicy> {
  const { access } = asSettings(main.written.value);
  return new Map(adapters.map((adapter) => [adapter.id, adapterPolicy(accessAdapterOf(adapter), access)]));
}

/** Returns the parts of an adapter that access rules need. */
export function accessAdapterOf({
  id,
  written,
  recordFault,
}: Pick<DesiredAdapter, 'id' | 'written' | 'recordFault'>): AccessAdapter {
  return {
    adapterId: id,
    tags: listAt(written.value, '/tags').filter((tag) => typeof tag === 'string'),
    // The schema has validated the rules. An adapter with a faulty record may have anything here. It is DEAD, so that every
    // call to it is refused with the fault.
    access: recordFault === undefined ? (listAt(written.value, '/access') as AccessAdapter['access']) : [],
  };
}

/** Returns the list at a pointer; empty for any other value. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(value, pointer);
  return Array.isArray(list) ? list : [];
}
