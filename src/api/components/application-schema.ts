import { managementBody } from '../../core/management-body.js';
import { entrySchema } from '../../core/management-reply.js';

/** Schema of an application in replies (wire section 5.3). */
export const applicationSchema = {
  title: 'Application',
  type: 'object',
  required: ['name', 'type', 'model', 'properties', 'isEncrypted', 'loggerProps'],
  properties: {
    name: { type: 'string' },
    type: { const: 'Application' },
    model: { type: 'string' },
    properties: { type: 'object' },
    isEncrypted: { type: 'boolean' },
    loggerProps: { type: 'object' },
    virtual: { type: 'boolean' },
  },
} as const;

/** Schema of an application with its state. */
export const applicationEntrySchema = entrySchema(
  'Application entry',
  { isActive: 'Always true', activeSync: 'Always true' },
  { data: applicationSchema },
);

/** Request body of an update; only the log levels of an application can be changed. */
export const changedApplicationSchema = managementBody('Changed application', {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: ['string', 'null'] },
    type: { enum: ['Application', '', null] },
    model: { type: ['string', 'null'] },
    properties: { type: ['object', 'null'], maxProperties: 0 },
    isEncrypted: { type: ['boolean', 'null'] },
    loggerProps: { type: ['object', 'null'] },
    virtual: { enum: [false, null] },
    _id: { description: 'Of another platform; not kept' },
  },
});
