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

/** A method as far as access rules need it. Tags and effect are undefined as long as they are not known. */
export interface CalledMethod {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly effect?: MethodEffect | undefined;
}

/** Returns the known method for access rules. */
export function calledMethod({ name, tags = [], effect = 'change' }: AdapterMethod): CalledMethod {
  return { name, tags, effect };
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
