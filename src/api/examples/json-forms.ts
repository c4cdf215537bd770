// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  createForm: {
    body: {
      name: 'New VLAN',
      description: 'Asks for a VLAN',
      schema: { type: 'object', required: ['vlan'], properties: { vlan: { type: 'integer', minimum: 1 } } },
      uiSchema: {},
      struct: {},
    },
    reply: {
      status: 'success',
      n: 1,
      doc: {
        id: '0123456789abcdef01234567',
        name: 'New VLAN',
        description: 'Asks for a VLAN',
        struct: {},
        schema: { type: 'object', required: ['vlan'], properties: { vlan: { type: 'integer', minimum: 1 } } },
        uiSchema: {},
        bindingSchema: {},
        validationSchema: {},
        created: '2026-11-25T12:00:00.000Z',
        createdBy: 'ada',
        lastUpdated: '2026-11-25T12:00:00.000Z',
        lastUpdatedBy: 'ada',
        version: '2020.1',
        createdByIssuer: 'gatehouse',
        createdByName: 'ada',
        lastUpdatedByIssuer: 'gatehouse',
        lastUpdatedByName: 'ada',
        bindingGrant: null,
      },
    },
  },
  getForms: {
    reply: [
      {
        id: '0123456789abcdef01234567',
        name: 'New VLAN',
        description: 'Asks for a VLAN',
        struct: {},
        schema: { type: 'object', required: ['vlan'], properties: { vlan: { type: 'integer', minimum: 1 } } },
        uiSchema: {},
        bindingSchema: {},
        validationSchema: {},
        created: '2026-11-25T12:00:00.000Z',
        createdBy: 'ada',
        lastUpdated: '2026-11-25T12:00:00.000Z',
        lastUpdatedBy: 'ada',
        version: '2020.1',
        createdByIssuer: 'gatehouse',
        createdByName: 'ada',
        lastUpdatedByIssuer: 'gatehouse',
        lastUpdatedByName: 'ada',
        bindingGrant: null,
        tags: [],
      },
    ],
  },
  getFormById: {
    reply: {
      id: '0123456789abcdef01234567',
      name: 'New VLAN',
      description: 'Asks for a VLAN',
      struct: {},
      schema: { type: 'object', required: ['vlan'], properties: { vlan: { type: 'integer', minimum: 1 } } },
      uiSchema: {},
      bindingSchema: {},
      validationSchema: {},
      created: '2026-11-25T12:00:00.000Z',
      createdBy: 'ada',
      lastUpdated: '2026-11-25T12:00:00.000Z',
      lastUpdatedBy: 'ada',
      version: '2020.1',
      createdByIssuer: 'gatehouse',
      createdByName: 'ada',
      lastUpdatedByIssuer: 'gatehouse',
      lastUpdatedByName: 'ada',
      bindingGrant: null,
    },
  },
  updateForm: {
    body: { options: { description: 'Asks for a new VLAN' } },
    reply: { status: 'success', message: 'Form updated' },
  },
  getFormHistory: {
    reply: [
      {
        revision: 1,
        form: {
          id: '0123456789abcdef01234567',
          name: 'New VLAN',
          description: 'Asks for a VLAN',
          struct: {},
          schema: {
            type: 'object',
            required: ['vlan'],
            properties: { vlan: { type: 'integer', minimum: 1 } },
          },
          uiSchema: {},
          bindingSchema: {},
          validationSchema: {},
          created: '2026-11-25T12:00:00.000Z',
          createdBy: 'ada',
          lastUpdated: '2026-11-25T12:00:00.000Z',
          lastUpdatedBy: 'ada',
          version: '2020.1',
          createdByIssuer: 'gatehouse',
          createdByName: 'ada',
          lastUpdatedByIssuer: 'gatehouse',
          lastUpdatedByName: 'ada',
          bindingGrant: null,
        },
      },
    ],
  },
  getFormSubtrees: {
    reply: {
      subtrees: [
        {
          pointer: '/properties/site',
          schema: { type: 'object', title: 'Site', properties: { name: { type: 'string' } } },
        },
      ],
      truncated: false,
    },
  },
  importForms: {
    body: {
      forms: [
        {
          name: 'New VLAN',
          schema: {
            type: 'object',
            required: ['vlan'],
            properties: { vlan: { type: 'integer', minimum: 1 } },
          },
        },
      ],
    },
    reply: {
      status: 'success',
      message: '1 form imported successfully',
      imported: [
        {
          success: true,
          message: 'Form imported successfully',
          original: { _id: null, name: 'New VLAN' },
          created: {
            _id: '0123456789abcdef01234567',
            name: 'New VLAN (1)',
            created: '2026-11-25T12:00:00.000Z',
            createdBy: 'ada',
            lastUpdated: '2026-11-25T12:00:00.000Z',
          },
        },
      ],
    },
  },
  validateData: {
    body: {
      jsonSchema: {
        type: 'object',
        required: ['vlan'],
        properties: { vlan: { type: 'integer', minimum: 1 } },
      },
      formData: { vlan: 0 },
    },
    reply: {
      status: 200,
      validation: {
        valid: false,
        errors: ['/vlan must be >= 1'],
        details: [{ instancePath: '/vlan', keyword: 'minimum', message: 'must be >= 1' }],
        truncated: false,
        dialect: 'https://json-schema.org/draft/2020-12/schema',
      },
      message: 'Form data is not valid.',
    },
  },
  validateForm: {
    body: { formData: { vlan: 12 } },
    reply: {
      status: 200,
      validation: {
        valid: true,
        errors: [],
        details: [],
        truncated: false,
        dialect: 'http://json-schema.org/draft-07/schema',
      },
      message: 'Form data is valid.',
    },
  },
  decodeSchema: {
    body: {
      jsonSchema: {
        type: 'object',
        required: ['vlan'],
        properties: { vlan: { type: 'integer', minimum: 1 } },
      },
      bindingSchema: { properties: {} },
    },
    reply: {
      jsonSchema: {
        type: 'object',
        required: ['vlan'],
        properties: { vlan: { type: 'integer', minimum: 1 } },
      },
    },
  },
  yangToSchema: {
    body: {
      yangData: [
        'module vlan { namespace "urn:example:vlan"; prefix v; leaf id { type uint16 { range "1..4094"; } } }',
      ],
    },
    reply: {
      schemas: [
        {
          module: 'vlan',
          namespace: 'urn:example:vlan',
          schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            title: 'vlan',
            type: 'object',
            properties: {
              'vlan:id': {
                title: 'id',
                'x-yang': { kind: 'leaf', module: 'vlan', type: 'uint16' },
                type: 'integer',
                minimum: 1,
                maximum: 4094,
              },
            },
            patternProperties: { '^@': {} },
            additionalProperties: false,
            'x-yang': {
              kind: 'module',
              module: 'vlan',
              namespace: 'urn:example:vlan',
              revision: null,
              model: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
              content: 'config',
            },
          },
          uiSchema: { 'ui:order': ['vlan:id'] },
          warnings: [],
          warningCounts: {},
          targets: [],
        },
      ],
    },
  },
  deleteForms: {
    body: { ids: ['0123456789abcdef01234567'] },
    reply: { status: 'success', n: 1, deleted: 1 },
  },
};
