import { isJsonObject, type JsonObject } from '../json/json-object.js';
import type { JsonSchema } from './schema.js';

/** What a method can do at the orchestrator. */
export const METHOD_EFFECTS = ['read', 'change', 'delete'] as const;

type MethodEffect = (typeof METHOD_EFFECTS)[number];

/** A method of an adapter that callers can call by its name. */
export interface AdapterMethod {
  /** Name that callers use. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Further sentences. */
  readonly description?: string;
  /**
   * Schema of the arguments: an object with one property for each parameter, in the order of the parameters. `required` names the
   * parameters without which the method cannot be called.
   */
  readonly input: JsonSchema;
  /** Schema of the result. It documents the result; the host does not validate it. */
  readonly output?: JsonSchema | undefined;
  /** What a call does at the orchestrator. Absent: `change`. */
  readonly effect?: MethodEffect;
  /** Names of groups of methods, for access rules and lists. */
  readonly tags?: readonly string[];
}

/** A call of a method. */
export interface MethodCall {
  /** Name of the method. */
  readonly method: string;
  /** Arguments by name, valid against the `input` of the method. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The parts of a method that access rules need. Tags and effect are undefined as long as they are not known. */
export interface CalledMethod {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly effect?: MethodEffect | undefined;
}

/** Returns the known method for access rules. */
export function calledMethod({ name, tags = [], effect = 'change' }: AdapterMethod): CalledMethod {
  return { name, tags, effect };
}

/** What a person approves besides the arguments of a call. The approval holds only while both members are the same. */
export interface CallBinding {
  /** Digest of the target of the adapter. */
  readonly adapter: string;
  /** Digest of the method of a call by name. */
  readonly method?: string;
}

const digests = new WeakMap<AdapterMethod, string>();

/** Returns the method of a document after recording its digest, which also covers what a call sends. */
export function withDocumentDigest(method: AdapterMethod, digest: string): AdapterMethod {
  digests.set(method, digest);
  return method;
}

/** Returns the recorded digest of a method; undefined for a method that a plugin offers. */
export function documentDigest(method: AdapterMethod): string | undefined {
  return digests.get(method);
}

/** Method of a call by name in access rules, which otherwise name HTTP methods. */
export const CALL_METHOD = 'CALL';

const CALL_PATH = '/call/';

/** Returns the path of a call by name in access rules. */
export function callPath(method: string): string {
  return CALL_PATH + method;
}

/** Returns the name of the method in the path of a call by name; undefined for any other path. */
export function methodOfPath(path = ''): string | undefined {
  return path.startsWith(CALL_PATH) ? path.slice(CALL_PATH.length) : undefined;
}

/** A call of a plugin's code. */
export interface PluginCall {
  readonly plugin: string;
  /** The adapterId; absent while no adapter exists. */
  readonly adapter?: string;
  /** The function of the plugin. */
  readonly method: string;
}

/** Name of the property of `globalThis` with the running call. The watchdog reads it while the event loop is stuck. */
export const PLUGIN_CALL = 'gatehouse.pluginCall';

const PROPERTY = Symbol.for(PLUGIN_CALL);
const running = globalThis as { [PROPERTY]?: PluginCall | undefined };

/**
 * Runs a function of a plugin, and records the call until the function returns. A promise that the function returns counts as
 * returned: other work runs while it is pending.
 */
export function callPlugin<T>(call: PluginCall, work: () => T): T {
  const outer = running[PROPERTY];
  running[PROPERTY] = call;
  try {
    return work();
  } finally {
    running[PROPERTY] = outer;
  }
}

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
