import { ADAPTER_ID_PATTERN, ADAPTER_ID_WORDS } from '../../core/adapter-id.js';
import { managementBody } from '../../core/management-body.js';
import { entrySchema } from '../../core/management-reply.js';

/** Schema of an adapter in replies (wire section 5.1). */
export const adapterSchema = {
  title: 'Adapter',
  type: 'object',
  required: ['name', 'type', 'model', 'properties', 'isEncrypted', 'loggerProps', 'virtual'],
  properties: {
    name: { type: 'string' },
    type: { const: 'Adapter' },
    model: { type: 'string', description: 'The plugin, or the npm package of a catalogue adapter' },
    properties: {
      type: 'object',
      required: ['id', 'type', 'brokers', 'groups', 'properties'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string' },
        brokers: { type: 'array', items: { type: 'string' } },
        groups: { type: 'array' },
        properties: {
          type: 'object',
          description:
            'The keys of a file of adapters/ without plugin, brokers, groups and log; of a catalogue adapter, its own settings',
        },
      },
    },
    isEncrypted: { type: 'boolean' },
    loggerProps: { type: 'object' },
    virtual: { type: 'boolean' },
  },
} as const;

/** Schema of an adapter with its state. */
export const adapterEntrySchema = entrySchema(
  'Adapter entry',
  {
    isActive: 'True unless the active profile leaves it out',
    activeSync: 'True when what runs is what is kept',
  },
  { data: adapterSchema },
);

/** Members that clients may send empty or null to leave them unchanged (wire section 5.1). */
const own = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    id: { type: ['string', 'null'] },
    type: { type: ['string', 'null'], maxLength: 256 },
    brokers: { type: ['array', 'null'], items: { type: 'string', minLength: 1 }, maxItems: 1000 },
    groups: { type: ['array', 'null'], maxItems: 1000 },
    properties: { type: ['object', 'null'] },
  },
} as const;

const members = {
  name: { type: 'string', pattern: ADAPTER_ID_PATTERN, description: ADAPTER_ID_WORDS },
  type: { enum: ['Adapter', '', null] },
  model: { type: 'string', minLength: 1, maxLength: 214 },
  properties: own,
  isEncrypted: { type: ['boolean', 'null'] },
  loggerProps: { type: ['object', 'null'] },
  virtual: { enum: [false, null], description: 'There are no virtual adapters' },
  _id: { description: 'Of another platform; not kept' },
} as const;

/** Request body of a new adapter. */
export const newAdapterSchema = managementBody('New adapter', {
  type: 'object',
  required: ['name', 'model'],
  additionalProperties: false,
  properties: members,
});

/** Request body of an update; absent members stay unchanged. */
export const changedAdapterSchema = managementBody('Changed adapter', {
  type: 'object',
  additionalProperties: false,
  properties: members,
});
