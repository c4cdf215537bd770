import type { AdapterTemplate } from '../../config/adapter-template.js';
import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { decodeUri } from '../../lib/decode-uri.js';

export interface SchemaDeps {
  /**
   * Returns the schema of the settings of the adapter with this name, as its plugin defines it. If no such
   * adapter exists, returns the schema for adapters of the plugin with this name; `undefined` if neither
   * exists. Throws `adapter_unavailable` if the plugin cannot be used.
   */
  readonly adapterSchema: (name: string) => Promise<JsonSchema | undefined>;
  /** Returns the schema of the settings of an application; `undefined` if the application does not exist. */
  readonly applicationSchema: (name: string) => JsonSchema | undefined;
  readonly profileSchema: () => JsonSchema;
  /** Returns the types that adapters can name as their model. */
  readonly adapterTypes: () => readonly string[];
  /** Returns the types that are other names of a type, with that type. */
  readonly typeAliases: () => Readonly<Record<string, string>>;
  /** Returns the templates of adapters for known orchestrators; reads them once. */
  readonly adapterTemplates: () => Promise<readonly AdapterTemplate[]>;
}

/** Schema of a schema in replies (wire section 5.5). */
const schemaReplySchema = {
  title: 'Settings schema',
  type: 'object',
  required: ['schema', 'decorators'],
  properties: {
    schema: { type: 'object', additionalProperties: true, description: 'JSON Schema of the settings' },
    decorators: {
      type: 'array',
      description: 'Locations of secrets in the settings; * in a pointer matches any member or item',
      items: {
        type: 'object',
        required: ['type', 'pointer'],
        properties: { type: { const: 'encryption' }, pointer: { type: 'string' } },
      },
    },
  },
} as const;

function schemaWithSecrets(schema: JsonSchema) {
  return {
    schema,
    decorators: secretPointers(schema).map((pointer) => ({ type: 'encryption', pointer })),
  };
}

/**
 * Returns the schema of an adapter's settings. Also accepts the name of a plugin, so that clients can get the
 * schema before they register an adapter.
 */
const getAdapterSchema: Operation<SchemaDeps> = {
  id: 'getAdapterSchema',
  summary: 'Get the JSON Schema of the settings of an adapter, or of the adapters of a plugin.',
  description:
    'Returns the schema of the settings of an adapter, as its plugin defines it, and the locations of secrets. Accepts the name of an adapter or of a plugin.',
  problems: ['adapter_not_found', 'adapter_unavailable'],
  method: 'GET',
  path: '/schema/adapters/:name',
  roles: READERS,
  reply: schemaReplySchema,
  async handle({ params: { name = '' } }, { adapterSchema }) {
    const schema = await adapterSchema(name);
    if (!schema)
      throw new Problem('adapter_not_found', `there is no adapter and no adapter plugin "${name}"`);
    return { body: schemaWithSecrets(schema) };
  },
};

const getApplicationSchema: Operation<SchemaDeps> = {
  id: 'getApplicationSchema',
  summary: 'Get the JSON Schema of the settings of an application.',
  description: 'Returns the schema of the settings of an application, which allows no members.',
  problems: ['application_not_found'],
  method: 'GET',
  path: '/schema/applications/:name',
  roles: READERS,
  reply: schemaReplySchema,
  handle({ params: { name = '' } }, { applicationSchema }) {
    const schema = applicationSchema(name);
    if (!schema) throw new Problem('application_not_found', `there is no application "${name}"`);
    return { body: schemaWithSecrets(schema) };
  },
};

const getProfileSchema: Operation<SchemaDeps> = {
  id: 'getProfileSchema',
  summary: 'Get the JSON Schema of profiles.',
  description: 'Returns the schema of all members of a profile, and the locations of secrets.',
  method: 'GET',
  path: '/schema/profiles',
  roles: READERS,
  reply: schemaReplySchema,
  handle(_call, { profileSchema }) {
    return { body: schemaWithSecrets(profileSchema()) };
  },
};

const adapterTypesSchema = {
  title: 'Adapter types',
  type: 'object',
  required: ['adapterModels', 'total', 'aliases'],
  properties: {
    adapterModels: { type: 'array', items: { type: 'string' } },
    total: { type: 'integer', minimum: 0 },
    aliases: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Types that are another name of a type, with that type',
    },
  },
} as const;

const getAdapterModelTypes: Operation<SchemaDeps> = {
  id: 'getAdapterModelTypes',
  summary: 'List the types of adapters.',
  description:
    'Returns the types that the `model` of an adapter can name: plugins, and community adapters that are installed beside the configuration.',
  method: 'GET',
  path: '/adapter-models/types',
  roles: READERS,
  reply: adapterTypesSchema,
  handle(_call, { adapterTypes, typeAliases }) {
    const aliases = typeAliases();
    const adapterModels = [...new Set([...adapterTypes(), ...Object.keys(aliases)])].sort();
    return { body: { adapterModels, total: adapterModels.length, aliases } };
  },
};

const templatesSchema = {
  title: 'Adapter templates',
  type: 'object',
  required: ['templates', 'total'],
  properties: {
    templates: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'summary', 'login', 'model', 'settings'],
        properties: {
          id: { type: 'string' },
          title: { type: 'string', description: 'Name of the orchestrator' },
          summary: { type: 'string', description: 'What the orchestrator is' },
          login: { type: 'string', description: 'Kind of its authentication, in words' },
          model: { type: 'string', description: 'Value of `model` for a new adapter' },
          settings: {
            type: 'object',
            additionalProperties: true,
            description: 'Settings with an example host; secrets are references to Vault',
          },
        },
      },
    },
    total: { type: 'integer', minimum: 0 },
  },
} as const;

const getAdapterTemplates: Operation<SchemaDeps> = {
  id: 'getAdapterTemplates',
  summary: 'List settings of adapters for known orchestrators.',
  description:
    'Returns a template for each orchestrator of the examples that come with the product: its plugin, and settings with an example host and references to secrets.',
  method: 'GET',
  path: '/adapter-templates',
  roles: READERS,
  reply: templatesSchema,
  async handle(_call, { adapterTemplates }) {
    const templates = await adapterTemplates();
    return { body: { templates, total: templates.length } };
  },
};

export const schema: Application<SchemaDeps> = {
  name: 'schema',
  summary: 'JSON Schemas of the settings of adapters, applications and profiles.',
  prefixes: [''],
  operations: [
    getAdapterSchema,
    getApplicationSchema,
    getProfileSchema,
    getAdapterModelTypes,
    getAdapterTemplates,
  ],
};

/**
 * Maximum number of visited schemas. Definitions that refer to each other can have too many paths to visit
 * all.
 */
const MAX_VISITED_SCHEMAS = 20_000;

/**
 * Returns the locations that a schema marks with `x-secret`, as sorted pointers into the described value; `*`
 * is any member or item. Follows references within the schema, and a circular reference once. Visits the
 * outermost locations first, and at most {@link MAX_VISITED_SCHEMAS} schemas.
 */
export function secretPointers(root: JsonSchema): readonly string[] {
  const pointers = new Set<string>();
  const visits: SchemaVisit[] = [{ schema: root, pointer: '', followed: [] }];
  for (let at = 0; at < visits.length && at < MAX_VISITED_SCHEMAS; at += 1) {
    const visit = visits[at];
    if (!visit || !isJsonObject(visit.schema)) continue;
    if (visit.schema['x-secret'] === true) pointers.add(visit.pointer);
    visits.push(...visitsInPlace(visit), ...visitsOfMembers(visit), ...visitsOfReference(root, visit));
  }
  return [...pointers].sort();
}

/** A schema to visit, and the location that it describes. */
interface SchemaVisit {
  readonly schema: unknown;
  readonly pointer: string;
  /** References that led to the schema. */
  readonly followed: readonly string[];
}

/** Keywords whose value is a schema, or a list of schemas, for the same location. */
const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

function visitsInPlace(visit: SchemaVisit): readonly SchemaVisit[] {
  const { schema } = visit;
  return isJsonObject(schema)
    ? IN_PLACE_KEYWORDS.flatMap((keyword) => schema[keyword] ?? []).map((subschema) => ({
        ...visit,
        schema: subschema,
      }))
    : [];
}

function visitsOfMembers({ schema, pointer, followed }: SchemaVisit): readonly SchemaVisit[] {
  if (!isJsonObject(schema)) return [];
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const members: readonly (readonly [string, unknown])[] = [
    ...entriesOf(properties),
    ...entriesOf(patternProperties).map(([, subschema]) => ['*', subschema] as const),
    ['*', additionalProperties],
    ...entriesOf(prefixItems),
    // Drafts before 2020-12 use a list in `items` instead of `prefixItems`.
    ...(Array.isArray(items) ? entriesOf(items) : [['*', items] as const]),
  ];
  return members
    .filter(([, subschema]) => isJsonObject(subschema))
    .map(([token, subschema]) => ({ schema: subschema, pointer: pointerTo(pointer, token), followed }));
}

function visitsOfReference(
  root: JsonSchema,
  { schema, pointer, followed }: SchemaVisit,
): readonly SchemaVisit[] {
  const reference = isJsonObject(schema) && schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || followed.includes(reference))
    return [];
  const target = valueAt(root, decodeUri(reference.slice(1)));
  return [{ schema: target, pointer, followed: [...followed, reference] }];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
