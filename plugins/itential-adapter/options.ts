import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_LEVELS, type LogLevel } from '../../src/core/log.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { pointerTokens } from '../../src/json/pointer.js';
import { readJson } from './community-adapter.js';

/** Resolved options of an adapter of this plugin. */
export interface CommunityOptions {
  readonly folder: string;
  readonly home?: string;
  readonly memoryMb: number;
  readonly logLevel: LogLevel;
  /** Properties of the instance; a value that the adapter's decorators name is a `Secret`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

const PROPERTIES = {
  description: "Properties of the instance, valid for the adapter's propertiesSchema.json.",
  type: 'object',
};

/** Schema of the options before the adapter's folder is known. */
export const optionsSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['folder', 'properties'],
  properties: {
    folder: {
      description:
        'Folder of the community adapter, which contains pronghorn.json and its installed packages.',
      type: 'string',
      minLength: 1,
      'x-path': true,
    },
    home: {
      description: 'Home folder that the adapter finds in process.argv; default: the folder of the adapter.',
      type: 'string',
      minLength: 1,
      'x-path': true,
    },
    memoryMb: {
      description:
        'Maximum memory of the worker, heap and Buffers together, in MiB; a worker that exceeds it is restarted.',
      type: 'integer',
      minimum: 64,
      maximum: 8192,
      default: 256,
    },
    logLevel: {
      description: "Least severe level of the adapter's log lines.",
      enum: LOG_LEVELS,
      default: 'info',
    },
    properties: PROPERTIES,
  },
};

/** Secrets of every adapter that uses the common library, in addition to those of its decorators. */
const LIBRARY_SECRETS = [
  ...['password', 'token', 'client_secret', 'aws_secret_key', 'aws_session_token'].map(
    (name) => `/authentication/${name}`,
  ),
  ...['/proxy/password', '/mongo/password'],
];

/** Completed schemas by their sources, so that an unchanged schema is the same object. */
const completed = new Map<string, JsonSchema>();

/**
 * Returns the schema with the adapter's own propertiesSchema.json for `properties`, and with its secrets
 * marked.
 */
export async function completeSchema(folder: string): Promise<JsonSchema> {
  const schemaFile = join(folder, 'propertiesSchema.json');
  const decoratorFile = join(folder, 'propertiesDecorators.json');
  readJson(join(folder, 'pronghorn.json'));
  const texts = await Promise.all(
    [schemaFile, decoratorFile].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  const key = JSON.stringify(texts);
  const known = completed.get(key) ?? complete(readJson(schemaFile), texts[1] ? readJson(decoratorFile) : []);
  completed.set(key, known);
  return known;
}

export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const PROPERTIES_POINTER = '#/$defs/properties';

function complete(schema: unknown, decorators: unknown): JsonSchema {
  if (typeof schema !== 'object' || schema === null)
    throw new Error('propertiesSchema.json holds no schema; take a release of the adapter that has one');
  const pointers = [...LIBRARY_SECRETS, ...encryptedPointers(decorators)];
  return {
    ...optionsSchema,
    $schema: DRAFT_07,
    $defs: { properties: rebased(withoutEmptyDefaults(schema), PROPERTIES_POINTER) },
    properties: {
      ...(optionsSchema['properties'] as object),
      properties: {
        ...PROPERTIES,
        allOf: [{ $ref: PROPERTIES_POINTER }, ...pointers.map((pointer) => secretAt(pointerTokens(pointer)))],
      },
    },
  };
}

function encryptedPointers(decorators: unknown): readonly string[] {
  if (!Array.isArray(decorators)) return [];
  return (decorators as readonly { type?: unknown; pointer?: unknown }[]).flatMap(({ type, pointer }) =>
    type === 'encryption' && typeof pointer === 'string' && pointer.startsWith('/') ? [pointer] : [],
  );
}

/** Returns a schema that marks the string at a pointer as secret. */
function secretAt([token, ...rest]: readonly string[]): JsonSchema {
  if (token === undefined) return { 'x-secret': true };
  const below = secretAt(rest);
  return { properties: { [token]: below }, ...(/^(?:\d+|\*)$/.test(token) && { items: below }) };
}

/** Returns a schema for its position at a pointer: references within it are adapted, and its names are removed. */
export function rebased(schema: unknown, pointer: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => rebased(item, pointer));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(['$id', '$schema'].includes(key) && typeof value === 'string'))
      .map(([key, value]: [string, unknown]) => [
        key,
        isLocalReference(key, value) ? pointer + value.slice(1) : rebased(value, pointer),
      ]),
  );
}

function isLocalReference(key: string, value: unknown): value is string {
  return key === '$ref' && typeof value === 'string' && value.startsWith('#');
}

/** Removes empty defaults of required members, because such a default would hide a missing value. */
function withoutEmptyDefaults(schema: unknown): unknown {
  const { required = [], properties = {} } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const members = Object.entries(properties).map(([name, { default: preset, ...member }]) => [
    name,
    preset === undefined || (preset === '' && required.includes(name))
      ? member
      : { ...member, default: preset },
  ]);
  return { ...(schema as object), properties: Object.fromEntries(members) as unknown };
}
