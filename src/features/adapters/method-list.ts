import type { AdapterMethod } from '../../core/adapter-method.js';
import type { AdapterInstance, Lease } from '../../core/snapshot.js';
import type { JsonObject } from '../../json/json-object.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';

/** Returns the methods of an adapter; none for an adapter without methods. Throws the Problem of an adapter that does not serve. */
export type ListMethods = (adapterId: string, signal: CancelSignal) => Promise<readonly AdapterMethod[]>;

/** Returns the arguments of a call of a method, with the defaults of its schema. Throws `invalid_request` with all errors. */
export type MethodArguments = (method: AdapterMethod, body: JsonObject) => JsonObject;

export function createListMethods(lease: Lease): ListMethods {
  return (adapterId, signal) =>
    lease(async ({ adapters }) => {
      const instance = adapters.get(adapterId);
      return instance ? methodsOf(instance, signal) : [];
    });
}

export async function methodsOf(
  instance: AdapterInstance,
  signal: CancelSignal,
): Promise<readonly AdapterMethod[]> {
  const { upstream } = await instance.ready();
  return (await upstream.methods?.(signal)) ?? [];
}
