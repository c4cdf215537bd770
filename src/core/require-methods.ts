import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { type AdapterMethod, METHOD_EFFECTS } from './adapter-method.js';

/** Objects without a fault. Plugins return the same ones while their methods are unchanged. */
const accepted = new WeakSet();

/** Returns the list that a plugin returned. Throws a TypeError unless the host can use every method of it. */
export function requireMethods(methods: unknown): readonly AdapterMethod[] {
  if (!Array.isArray(methods))
    throw new TypeError('the plugin returned something else than a list of methods');
  const fault = methods.map(methodFault).find((one) => one !== undefined);
  if (fault !== undefined) throw new TypeError(`the plugin returned an invalid method: ${fault}`);
  return methods as readonly AdapterMethod[];
}

/** Returns what is wrong with a method of a plugin; undefined for a method that the host can use. */
function methodFault(method: unknown): string | undefined {
  if (!isJsonObject(method)) return 'it is no object';
  if (accepted.has(method)) return undefined;
  const { name } = method;
  if (typeof name !== 'string' || !/^\P{Cc}{1,256}$/u.test(name))
    return 'its name is no text of 1 to 256 characters without control characters';
  const fault = faultOfMembers(method);
  if (fault !== undefined) return `${name}: ${fault}`;
  accepted.add(method);
  return undefined;
}

function faultOfMembers({
  summary,
  description = '',
  input,
  output = {},
  effect,
  tags = [],
}: JsonObject): string | undefined {
  if (typeof summary !== 'string' || typeof description !== 'string')
    return 'its summary or its description is no text';
  if (!isJsonObject(input) || !isJsonObject(output)) return 'its input or its output is no JSON Schema';
  if (effect !== undefined && !METHOD_EFFECTS.some((known) => known === effect))
    return `its effect is none of ${METHOD_EFFECTS.join(', ')}`;
  return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')
    ? undefined
    : 'its tags are no list of texts';
}
