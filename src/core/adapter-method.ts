import type { JsonSchema } from './schema.js';

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
  readonly effect?: 'read' | 'change' | 'delete';
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

/** Method of a call by name in access rules, which otherwise name HTTP methods. */
export const CALL_METHOD = 'CALL';

/** Returns the path of a call by name in access rules. */
export function callPath(method: string): string {
  return `/call/${method}`;
}
