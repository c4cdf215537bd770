import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdapterMethod, MethodCall } from '../../src/core/adapter-method.js';
import { isJsonObject, type JsonObject, memberOf } from '../../src/core/json-object.js';
import { stateOf } from '../../src/core/lib/file-state.js';
import { pointerTo } from '../../src/core/pointer.js';
import { Problem } from '../../src/core/problem.js';
import type { JsonSchema } from '../../src/core/schema.js';
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

/** Functions for administration, except those that call the orchestrator. */
const ADMINISTRATION = /^iap(?!(?:GetDeviceCount(?:Auth)?|ExpandedGenericAdapterRequest)$)/;

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

/** Returns a call with its arguments in the order of the parameters; null for an absent argument, as the platform sends it. */
export function positionalRequest(
  { method, args }: MethodCall,
  methods: readonly AdapterMethod[],
): MethodRequest {
  const input = methods.find(({ name }) => name === method)?.input;
  const names = Object.keys(input?.['properties'] ?? {});
  return { method, args: names.map((name) => memberOf(args, name) ?? null) };
}
