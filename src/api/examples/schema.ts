// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getAdapterSchema: {
    reply: {
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'gatehouse adapter',
        description: 'One orchestrator. Paths are relative to this file.',
      },
      decorators: [
        { type: 'encryption', pointer: '/auth/clientSecret' },
        { type: 'encryption', pointer: '/auth/password' },
      ],
    },
  },
  getApplicationSchema: {
    reply: {
      schema: {
        title: 'Forms',
        description: 'JSON forms, and the JSON Schemas that callers send.',
        type: 'object',
        additionalProperties: false,
        default: {},
        properties: {
          maxBytes: {
            title: 'Form size',
            description: 'Maximum size of a form, and of a schema with its data, in bytes.',
            type: 'integer',
            minimum: 1,
            maximum: 1073741824,
            default: 1048576,
            'x-unit': 'bytes',
          },
          maxForms: {
            title: 'Forms',
            description: 'Maximum number of forms.',
            type: 'integer',
            minimum: 1,
            maximum: 10000000,
            default: 100000,
          },
          maxVersions: {
            title: 'Versions',
            description: 'Maximum number of previous versions of each form.',
            type: 'integer',
            minimum: 0,
            maximum: 1000,
            default: 20,
          },
          validateTimeoutMs: {
            title: 'Validation time-out',
            description:
              'Maximum time of one validation against the schema of a caller or a form, in milliseconds. A separate limit of steps does not depend on the load of the machine.',
            type: 'integer',
            minimum: 1,
            maximum: 2147483647,
            default: 10000,
            'x-unit': 'milliseconds',
          },
          validateMemoryMb: {
            title: 'Validation memory',
            description: 'Megabytes of heap that one validation may use.',
            type: 'integer',
            minimum: 32,
            maximum: 4096,
            default: 64,
            'x-unit': 'megabytes',
          },
          yangPath: {
            title: 'YANG folders',
            description: 'Folders that are searched for imported YANG modules.',
            type: 'array',
            default: [],
            items: {
              title: 'Folder',
              description: 'Folder with YANG modules.',
              type: 'string',
              minLength: 1,
              'x-path': true,
            },
          },
          yang: {
            title: 'YANG',
            description: 'Limits of one conversion of YANG modules to JSON Schema.',
            type: 'object',
            additionalProperties: false,
            default: {},
            properties: {
              maxBytes: {
                title: 'Size of the texts',
                description:
                  'Maximum size of a request with YANG modules in bytes, and maximum number of characters of all modules with their imports.',
                type: 'integer',
                minimum: 1,
                maximum: 1073741824,
                default: 67108864,
                'x-unit': 'bytes',
              },
              maxStatements: {
                title: 'Statements',
                description: 'Maximum number of statements of all modules.',
                type: 'integer',
                minimum: 1,
                maximum: 100000000,
                default: 4000000,
              },
              maxNodes: {
                title: 'Nodes',
                description: 'Maximum number of schema nodes after groupings are expanded.',
                type: 'integer',
                minimum: 1,
                maximum: 100000000,
                default: 1000000,
              },
              timeoutMs: {
                title: 'Time-out',
                description: 'Maximum time of one conversion, in milliseconds.',
                type: 'integer',
                minimum: 1,
                maximum: 2147483647,
                default: 60000,
                'x-unit': 'milliseconds',
              },
              memoryMb: {
                title: 'Memory',
                description: 'Megabytes of heap that one conversion may use.',
                type: 'integer',
                minimum: 64,
                maximum: 16384,
                default: 1024,
                'x-unit': 'megabytes',
              },
            },
          },
          tasks: {
            title: 'Tasks',
            description: 'Forms that people fill in on a page.',
            type: 'object',
            additionalProperties: false,
            default: {},
            properties: {
              maxTasks: {
                title: 'Tasks',
                description:
                  'Maximum number of open tasks, and of finished tasks; beyond it, the oldest finished tasks are removed.',
                type: 'integer',
                minimum: 1,
                maximum: 1000000,
                default: 10000,
              },
              maxOpenPerSubject: {
                title: 'Open tasks of one requester',
                description:
                  'Maximum number of open tasks of one requester; never more than half of maxTasks.',
                type: 'integer',
                minimum: 1,
                maximum: 1000000,
                default: 1000,
              },
              maxTotalBytes: {
                title: 'Size of all tasks',
                description:
                  'Maximum size of all open tasks, and of all finished tasks, in bytes; one requester may use half of it for open tasks.',
                type: 'integer',
                minimum: 65536,
                maximum: 1099511627776,
                default: 536870912,
                'x-unit': 'bytes',
              },
              roles: {
                title: 'Roles of tasks',
                description:
                  'Roles that may read and answer a task that was opened without an assignee and without roles; empty: everyone who may call the operations.',
                type: 'array',
                maxItems: 32,
                default: [],
                items: { type: 'string', minLength: 1, maxLength: 256 },
              },
              excludeRequester: {
                title: 'Exclude the requester',
                description: 'True: the requester of a task may not approve it. False: each task decides.',
                type: 'boolean',
                default: false,
              },
              frameAncestors: {
                title: 'Frames',
                description: 'Origins of pages that may embed a task; none by default.',
                type: 'array',
                maxItems: 64,
                default: [],
                items: {
                  type: 'string',
                  pattern:
                    '^(?:self|https?://(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?)(?::(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?)$',
                  'x-hint': 'must be an origin without a path, for example https://portal.example, or self',
                },
              },
              messageOrigins: {
                title: 'Messages',
                description: 'Origins of pages that may receive the outcome of a task; none by default.',
                type: 'array',
                maxItems: 64,
                default: [],
                items: {
                  type: 'string',
                  pattern:
                    '^(?:self|https?://(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?)(?::(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?)$',
                  'x-hint': 'must be an origin without a path, for example https://portal.example, or self',
                },
              },
            },
          },
        },
      },
      decorators: [],
    },
  },
  getProfileSchema: {
    reply: {
      schema: {
        title: 'Profile',
        description: 'Members that are not listed are kept as they are.',
        type: 'object',
      },
      decorators: [
        { type: 'encryption', pointer: '/alarmProps/*/community' },
        { type: 'encryption', pointer: '/mongoProps/password' },
      ],
    },
  },
  getAdapterModelTypes: {
    reply: {
      adapterModels: ['http', 'http-rest'],
      total: 6,
      aliases: { http: 'http-rest', itential: 'itential-adapter' },
    },
  },
  getAdapterTemplates: {
    reply: {
      templates: [
        {
          id: 'ansible-awx',
          title: 'Ansible AWX',
          summary: 'Automation controller',
          login: 'Token',
          model: 'http-rest',
          settings: {
            baseUrl: 'https://awx.example',
            auth: { type: 'bearer', token: '$VAULT_adapters/awx#token' },
            health: { path: '/api/v2/me/' },
          },
        },
        {
          id: 'cisco-aci',
          title: 'Cisco ACI (APIC)',
          summary: 'Data center fabric controller',
          login: 'Session login',
          model: 'http-rest',
          settings: {
            baseUrl: 'https://apic.example',
            auth: {
              type: 'login',
              steps: [
                {
                  request: {
                    path: '/api/aaaLogin.json',
                    body: {
                      aaaUser: { attributes: { name: 'gatehouse', pwd: '$VAULT_adapters/aci#password' } },
                    },
                  },
                },
              ],
              expiresIn: '/imdata/0/aaaLogin/attributes/refreshTimeoutSeconds',
              refreshOn: [401, 403],
            },
            health: { path: '/api/mo/uni.json' },
          },
        },
      ],
      total: 15,
    },
  },
};
