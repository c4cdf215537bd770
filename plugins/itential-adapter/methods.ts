import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdapterMethod, MethodCall } from '../../src/core/adapter-method.js';
import { Problem } from '../../src/core/problem.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { isJsonObject, type JsonObject, memberOf } from '../../src/json/json-object.js';
import { pointerTo } from '../../src/json/pointer.js';
import { stateOf } from '../../src/lib/file-state.js';
import type { MethodRequest } from './messages.js';
import { DRAFT_07, rebased } from './options.js';

/**
 * Functions of `EventEmitter`, and functions with which the platform starts, checks and administers an adapter. They are not
 * callable, even if pronghorn.json lists them. Older releases have the functions for administration without the prefix `iap`.
 */
const NOT_CALLABLE: ReadonlySet<string> = new Set([
  ...['constructor', 'on', 'once', 'off', 'emit', 'addListener', 'prependListener', 'removeListener'],
  ...['removeAllListeners', 'setMaxListeners', 'connect', 'healthCheck', 'refreshProperties'],
  ...['checkActionFiles', 'checkProperties', 'encryptProperty', 'getAllFunctions', 'getWorkflowFunctions'],
  ...['updateAdapterConfiguration', 'suspend', 'unsuspend', 'getQueue', 'findPath', 'troubleshoot'],
  ...['runHealthcheck', 'runConnectivity', 'runBasicGet', 'moveEntitiesToDB'],
]);

/**
 * Functions for administration, except those that call the orchestrator. `iapExpandedGenericAdapterRequest` is not callable either:
 * its `metadata` sets the host, the login and the type of the body, which may be a file of this machine.
 */
const ADMINISTRATION = /^iap(?!GetDeviceCount(?:Auth)?$)/;

/** Arguments with settings of one call, or with the login of one call. */
const CALL_SETTINGS = /^(?:iap)?metadata$|^callOptions$/i;

interface KnownMethods {
  /** State of the file from which the methods were read. */
  readonly fileState: string;
  readonly methods: readonly AdapterMethod[];
}

/** Methods by file. A file has up to some megabytes, so it is read again only after a change. */
const known = new Map<string, KnownMethods>();

/** Returns the methods that an adapter's pronghorn.json lists and that are callable. Throws `adapter_unavailable`. */
export async function readMethods(folder: string): Promise<readonly AdapterMethod[]> {
  const file = join(folder, 'pronghorn.json');
  const fileState = (await stateOf(file))?.text ?? '';
  const latest = known.get(file);
  if (latest?.fileState === fileState) return latest.methods;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('adapter_unavailable', `${file} cannot be read`, { cause });
  });
  const methods = parseMethods(text, file);
  known.set(file, { fileState, methods });
  return methods;
}

function parseMethods(text: string, file: string): readonly AdapterMethod[] {
  try {
    const { methods } = JSON.parse(text) as { readonly methods?: unknown };
    return Array.isArray(methods) ? methods.filter(isJsonObject).flatMap(methodOf) : [];
  } catch (cause) {
    throw new Problem('adapter_unavailable', `${file} is not JSON`, { cause });
  }
}

function methodOf(listed: JsonObject): readonly AdapterMethod[] {
  const { name, summary, description, input, output } = listed;
  if (typeof name !== 'string' || NOT_CALLABLE.has(name) || ADMINISTRATION.test(name)) return [];
  const parameters = Array.isArray(input) ? input.filter(isJsonObject) : [];
  return [
    {
      name,
      summary: typeof summary === 'string' ? summary : name,
      ...(typeof description === 'string' && description !== summary && { description }),
      input: inputSchema(parameters),
      ...(isJsonObject(output) && { output: schemaOf(output, '#') }),
    },
  ];
}

function inputSchema(parameters: readonly JsonObject[]): JsonSchema {
  const named = parameters.map((parameter) => ({ name: String(parameter['name']), parameter }));
  return {
    $schema: DRAFT_07,
    type: 'object',
    additionalProperties: false,
    required: named.filter(({ parameter }) => parameter['required'] === true).map(({ name }) => name),
    properties: Object.fromEntries(
      named.map(({ name, parameter }) => [name, schemaOf(parameter, pointerTo('#/properties', name))]),
    ),
  };
}

const JSON_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
]);

/** Returns the schema of a parameter or a result. Older releases have only a type, which may be unknown to JSON Schema. */
function schemaOf({ schema, type, info, description = info }: JsonObject, pointer: string): JsonSchema {
  const ofType = JSON_TYPES.has(type) ? { type } : {};
  const own = isJsonObject(schema) ? (rebased(schema, pointer) as JsonSchema) : ofType;
  return typeof description === 'string' ? { description, ...own } : own;
}

/**
 * Returns a call with its arguments in the order of the parameters; null for an absent argument, as the platform sends it. Throws
 * `invalid_request` for an argument with which the library sends the credentials of the adapter to another host, or another login.
 */
export function positionalRequest(
  { method, args }: MethodCall,
  methods: readonly AdapterMethod[],
): MethodRequest {
  requireOwnTarget(method, args);
  const input = methods.find(({ name }) => name === method)?.input;
  const names = Object.keys(input?.['properties'] ?? {});
  return { method, args: names.map((name) => memberOf(args, name) ?? null) };
}

/**
 * Refuses `callProperties` (host, port, proxy and login of one call) as an argument or as a member of one, and `authData` in an
 * argument with settings of the call. Elsewhere, `authData` is data of the orchestrator.
 */
function requireOwnTarget(method: string, args: MethodCall['args']): void {
  for (const [name, written] of Object.entries(args)) {
    if (name === 'callProperties' || name === 'authData') throw foreignTarget(method, pointerTo('', name));
    const refused = CALL_SETTINGS.test(name) ? ['callProperties', 'authData'] : ['callProperties'];
    const value = parsedObject(written);
    const found = refused.find((member) => Object.hasOwn(value, member));
    if (found !== undefined) throw foreignTarget(method, pointerTo(pointerTo('', name), found));
  }
}

/** Returns the object of an argument, which may be a string with its JSON; an empty object for another value. */
function parsedObject(written: unknown): JsonObject {
  try {
    const value: unknown = typeof written === 'string' ? JSON.parse(written) : written;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function foreignTarget(method: string, pointer: string): Problem {
  const message = 'is not admitted, because it changes the address or the login of the adapter';
  return new Problem('invalid_request', `the method "${method}" cannot be called: ${pointer} ${message}`, {
    errors: [{ pointer, message }],
  });
}
