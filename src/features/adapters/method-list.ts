import { bindingOf } from '../../adapters/call-binding.js';
import type { AdapterMethod, CallBinding } from '../../core/adapter-method.js';
import type { Principal } from '../../core/principal.js';
import { type AdapterInstance, adapterOf, type Lease } from '../../core/snapshot.js';
import type { JsonObject } from '../../json/json-object.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';

/** Returns the methods of an adapter; none for an adapter without methods. Throws the Problem of an adapter that does not serve. */
export type ListMethods = (adapterId: string, signal: CancelSignal) => Promise<readonly AdapterMethod[]>;

/** Returns the arguments of a call of a method, with the defaults of its schema. Throws `invalid_request` with all errors. */
export type MethodArguments = (method: AdapterMethod, body: JsonObject) => JsonObject;

/** Returns what an approval of a call holds for, at this moment. Throws the Problem of an adapter that does not exist or not serve. */
export type BindCall = (
  adapterId: string,
  principal: Principal | undefined,
  method: AdapterMethod | undefined,
) => Promise<CallBinding>;

export function createBindCall(lease: Lease): BindCall {
  return (adapterId, principal, method) =>
    lease((snapshot) => bindingOf(adapterOf(snapshot, adapterId, principal), method));
}

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
