import { adapterDocument, type AdapterDocument } from '../../core/adapter-document.js';
import {
  ADAPTER_ID_PATTERN,
  ADAPTER_ID_WORDS,
  MAX_TAGS,
  TAG_HINT,
  TAG_PATTERN,
} from '../../core/adapter-names.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeMembers, commentMember } from '../lib/change-terms.js';
import { pendingSchema } from '../lib/history-operations.js';
import { entrySchema, managementBody } from '../lib/management-schemas.js';

/** Schema of the settings of an adapter, which its plugin defines. */
export const adapterSettingsSchema = {
  title: 'Adapter settings',
  type: 'object',
  additionalProperties: true,
  description:
    'Keys of an adapter file without plugin, brokers, groups, tags and log; for a catalogue adapter, the settings of that adapter',
} as const;

/** Schema of an adapter in replies (wire section 5.1). */
export const adapterSchema = {
  title: 'Adapter',
  type: 'object',
  required: ['name', 'type', 'model', 'properties', 'isEncrypted', 'loggerProps', 'virtual'],
  properties: {
    name: { type: 'string' },
    type: { const: 'Adapter' },
    model: {
      type: 'string',
      description:
        'A plugin of the product as `@gatehouse/adapter-<type>`, or the npm package of a plugin or of a catalogue adapter; requests may also name the type alone',
    },
    properties: {
      title: 'Adapter properties',
      type: 'object',
      required: ['id', 'type', 'brokers', 'groups', 'properties'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string' },
        brokers: { type: 'array', items: { type: 'string' } },
        groups: { type: 'array', items: {} },
        tags: {
          type: 'array',
          items: { type: 'string' },
          description: 'Tags for filters and notifications; absent without tags',
        },
        properties: adapterSettingsSchema,
      },
    },
    isEncrypted: { type: 'boolean' },
    loggerProps: { type: 'object', additionalProperties: true },
    virtual: { type: 'boolean' },
  },
} as const;

export const writtenAdapterSchema = {
  ...adapterSchema,
  title: 'Adapter as written',
  description: 'Without the members that are the same in every adapter, and without empty lists',
  required: ['name', 'model', 'properties'],
  properties: {
    ...adapterSchema.properties,
    properties: {
      ...adapterSchema.properties.properties,
      title: 'Adapter properties as written',
      required: ['properties'],
    },
  },
} as const;

export const adapterEntrySchema = entrySchema(
  'Adapter entry',
  {
    isActive: 'False if the active profile excludes the adapter',
    activeSync: 'True if the running adapter is the same as the stored adapter',
  },
  { data: adapterSchema, pending: pendingSchema },
);

/** Schema of the member `properties`; empty and null members leave the value unchanged (wire section 5.1). */
const sentPropertiesSchema = {
  title: 'Adapter properties to store',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    id: { type: ['string', 'null'] },
    type: { type: ['string', 'null'], maxLength: 256 },
    brokers: { type: ['array', 'null'], items: { type: 'string', minLength: 1 }, maxItems: 1000 },
    groups: { type: ['array', 'null'], items: {}, maxItems: 1000 },
    tags: {
      type: ['array', 'null'],
      items: { type: 'string', pattern: TAG_PATTERN, description: TAG_HINT.replace('is no tag: use ', '') },
      maxItems: MAX_TAGS,
      uniqueItems: true,
    },
    properties: { ...adapterSettingsSchema, type: ['object', 'null'] },
  },
} as const;

const sentMembers = {
  name: { type: 'string', pattern: ADAPTER_ID_PATTERN, description: ADAPTER_ID_WORDS },
  type: { enum: ['Adapter', '', null] },
  model: { type: 'string', minLength: 1, maxLength: 214 },
  properties: sentPropertiesSchema,
  isEncrypted: { type: ['boolean', 'null'] },
  loggerProps: { type: ['object', 'null'], additionalProperties: true },
  virtual: { enum: [false, null], description: 'There are no virtual adapters' },
  _id: { description: 'Id on another platform; ignored' },
} as const;

export const newAdapterSchema = managementBody(
  'New adapter',
  { type: 'object', required: ['name', 'model'], additionalProperties: false, properties: sentMembers },
  commentMember,
);

/** Request body of an update; absent members stay unchanged. */
export const changedAdapterSchema = managementBody(
  'Changed adapter',
  { type: 'object', additionalProperties: false, properties: sentMembers },
  changeMembers,
);

export type AdapterBody = FromSchema<typeof newAdapterSchema | typeof changedAdapterSchema>;

/** An adapter as clients send it; null, empty and absent members leave the value unchanged. */
export type SentAdapter = AdapterBody['properties'];

/**
 * Merges the adapter that a client sent into the previous document, or into a new document without settings.
 * Throws `invalid_request` if the adapter would be renamed.
 */
export function documentFrom(sent: SentAdapter, previous?: AdapterDocument): AdapterDocument {
  const name = previous?.name ?? sent.name ?? '';
  const base = previous ?? adapterDocument({ name, model: sent.model ?? '' });
  requireSameName(name, sent.name, '/properties/name');
  requireSameName(name, sent.properties?.id, '/properties/properties/id');
  return {
    ...base,
    model: sent.model ?? base.model,
    properties: propertiesFrom(sent.properties ?? {}, base.properties),
    loggerProps: { ...base.loggerProps, ...sent.loggerProps },
  };
}

function propertiesFrom(
  { type, brokers, groups, tags, properties }: NonNullable<SentAdapter['properties']>,
  base: AdapterDocument['properties'],
): AdapterDocument['properties'] {
  const { tags: baseTags, ...others } = base;
  const nextTags = tags ?? baseTags ?? [];
  return {
    ...others,
    type: type === '' ? base.type : (type ?? base.type),
    brokers: brokers ?? base.brokers,
    groups: groups ?? base.groups,
    ...(nextTags.length > 0 && { tags: nextTags }),
    properties: properties ?? base.properties,
  };
}

/** Throws `invalid_request` if a client sends another name: the name is the identity of an adapter. */
function requireSameName(name: string, sent: string | null | undefined, pointer: string): void {
  if (sent === undefined || sent === null || sent === '' || sent === name) return;
  const message = `must be "${name}": an adapter keeps its name`;
  throw new Problem('invalid_request', `${pointer} ${message}`, { errors: [{ pointer, message }] });
}
