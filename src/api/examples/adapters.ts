// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getAdapterMethods: {
    reply: {
      results: [
        {
          name: 'getDevice',
          summary: 'Get a device by its name',
          description: 'Gets one device. The name is the one in the inventory.',
          input: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { description: 'Name of the device', title: 'name', type: 'string' },
              fields: { description: 'Fields to return', title: 'fields', type: 'string' },
            },
          },
          output: {
            description: 'A JSON Object containing status, code and the result',
            title: 'result',
            type: 'object',
          },
        },
      ],
      total: 1,
    },
  },
  callAdapterMethod: {
    body: { name: 'r1' },
    reply: {
      icode: 'AD.200',
      response: { url: '/api/v1/devices/r1' },
      headers: {
        'content-type': 'application/json',
        date: 'Fri, 27 Nov 2026 15:25:59 GMT',
        connection: 'keep-alive',
        'keep-alive': 'timeout=5',
        'transfer-encoding': 'chunked',
      },
      metrics: {
        code: 200,
        timeouts: 0,
        redirects: 0,
        retries: 0,
        tripTime: 2,
        isThrottling: false,
        capabilityTime: '60ms',
      },
    },
  },
  createAdapter: {
    body: {
      properties: {
        name: 'lab1',
        model: 'restconf',
        properties: {
          type: 'restconf',
          brokers: ['device'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
      },
    },
    reply: {
      status: 'Created',
      message: 'Successfully created lab1.',
      data: {
        name: 'lab1',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab1',
          type: 'restconf',
          brokers: ['device'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  importAdapter: {
    body: {
      properties: {
        name: 'lab2',
        model: 'restconf',
        properties: { properties: { baseUrl: 'https://host.example' } },
      },
    },
    reply: {
      status: 'Created',
      message:
        'Successfully created lab2. The adapter does not serve yet: its start failed and is tried again: the certificate of the target is self-signed and not trusted. Name the certificate of the target in tls.caFile of the adapter; "openssl s_client -showcerts -connect HOST:PORT" shows the chain.',
      data: {
        name: 'lab2',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab2',
          type: 'restconf',
          brokers: [],
          groups: [],
          properties: { baseUrl: 'https://host.example' },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  getAdapters: {
    reply: {
      results: [
        {
          metadata: { isActive: true, activeSync: true },
          data: {
            name: 'core1',
            type: 'Adapter',
            model: '@gatehouse/adapter-restconf',
            properties: {
              id: 'core1',
              type: 'restconf',
              brokers: [],
              groups: [],
              properties: {
                baseUrl: 'https://host.example',
                auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
                tls: { caFile: '../orchestrator-ca.pem' },
              },
            },
            isEncrypted: true,
            loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
            virtual: false,
          },
        },
      ],
      total: 5,
    },
  },
  getAdapter: {
    reply: {
      metadata: { isActive: true, activeSync: true },
      data: {
        name: 'lab1',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab1',
          type: 'restconf',
          brokers: ['device'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  exportAdapter: {
    reply: {
      name: 'lab1',
      type: 'Adapter',
      model: '@gatehouse/adapter-restconf',
      properties: {
        id: 'lab1',
        type: 'restconf',
        brokers: ['device'],
        groups: [],
        properties: {
          baseUrl: 'https://host.example',
          auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
          tls: { caFile: '../orchestrator-ca.pem' },
        },
      },
      isEncrypted: true,
      loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
      virtual: false,
    },
  },
  getBrokerMap: { reply: { device: ['lab1'] } },
  updateAdapter: {
    body: {
      properties: { properties: { brokers: ['device', 'inventory'] } },
      confirmWithin: 10,
      comment: 'lab test',
    },
    reply: {
      status: 'OK',
      message: 'Successfully updated lab1.',
      data: {
        name: 'lab1',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab1',
          type: 'restconf',
          brokers: ['device', 'inventory'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  updateAdapterProperties: {
    body: {
      properties: {
        baseUrl: 'https://host.example',
        auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
        tls: { caFile: '../orchestrator-ca.pem' },
      },
    },
    reply: {
      status: 'OK',
      message: 'Successfully updated lab1.',
      data: {
        name: 'lab1',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab1',
          type: 'restconf',
          brokers: ['device', 'inventory'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  updateAdapterLogging: {
    body: { properties: { transport: 'file', level: 'debug', seconds: 600 } },
    reply: {
      status: 'OK',
      message: 'Successfully updated the log level of lab1 until 2026-11-25T12:00:00.000Z.',
    },
  },
  getAdapterChangelogs: {
    reply: {
      results: [
        {
          version: '1.1.0',
          date: null,
          changes: [
            'A root that no server announces is proven, or asked for again: 401, 403 and 404 while a controller starts no longer settle on `/restconf`.',
            'Finds `/rests`, the root of OpenDaylight, without the option `root`.',
          ],
        },
        {
          version: '1.0.0',
          date: null,
          changes: [
            'Discovers the RESTCONF root through host-meta (XRD and JRD), or takes it from the option `root`.',
            "Moves the callers' paths to that root.",
          ],
        },
      ],
      total: 2,
    },
  },
  testAdapterConnection: {
    body: {
      properties: {
        name: 'lab3',
        model: 'restconf',
        properties: {
          type: 'restconf',
          brokers: ['device'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
      },
    },
    reply: {
      ok: true,
      targets: [
        {
          baseUrl: 'https://host.example',
          steps: [
            {
              step: 'name',
              verdict: 'ok',
              ms: 0,
              fix: null,
              message: '127.0.0.1 is an address; no lookup is needed.',
            },
            { step: 'tcp', verdict: 'ok', ms: 1, fix: null, message: 'Connected to 127.0.0.1, port 45053.' },
          ],
        },
      ],
    },
  },
  testSavedAdapterConnection: {
    reply: {
      ok: true,
      targets: [
        {
          baseUrl: 'https://host.example',
          steps: [
            {
              step: 'name',
              verdict: 'ok',
              ms: 0,
              fix: null,
              message: '127.0.0.1 is an address; no lookup is needed.',
            },
            { step: 'tcp', verdict: 'ok', ms: 1, fix: null, message: 'Connected to 127.0.0.1, port 45053.' },
          ],
        },
      ],
    },
  },
  confirmAdapterChange: { reply: { status: 'OK', message: 'Successfully confirmed the change of lab1.' } },
  cancelAdapterChange: { reply: { status: 'OK', message: 'Successfully canceled the change of lab1.' } },
  getAdapterHistory: {
    reply: {
      results: [
        {
          revision: 5,
          action: 'updated',
          time: '2026-11-25T12:00:00.000Z',
          author: { subject: 'ada', issuer: 'gatehouse', name: 'ada' },
          comment: 'lab test',
          restores: null,
        },
      ],
      total: 6,
    },
  },
  getAdapterVersion: {
    reply: {
      revision: 5,
      action: 'updated',
      time: '2026-11-25T12:00:00.000Z',
      author: { subject: 'ada', issuer: 'gatehouse', name: 'ada' },
      comment: 'lab test',
      restores: null,
      document: {
        name: 'lab1',
        model: 'restconf',
        properties: {
          brokers: ['device', 'inventory'],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
      },
    },
  },
  rollbackAdapter: {
    body: { revision: 5, comment: 'back to the version of the test' },
    reply: {
      status: 'OK',
      message: 'Successfully updated lab1.',
      data: {
        name: 'lab1',
        type: 'Adapter',
        model: '@gatehouse/adapter-restconf',
        properties: {
          id: 'lab1',
          type: 'restconf',
          brokers: ['device', 'inventory'],
          groups: [],
          properties: {
            baseUrl: 'https://host.example',
            auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
            tls: { caFile: '../orchestrator-ca.pem' },
          },
        },
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  getRemovedAdapters: { reply: { results: [], total: 0 } },
  suspendAdapter: {
    body: { mode: 'pause', seconds: 3600, comment: 'maintenance' },
    reply: {
      status: 'OK',
      message: 'Successfully suspended lab1: its calls wait until 2026-11-25T12:00:00.000Z.',
    },
  },
  startAdapter: { reply: { status: 'OK', message: 'Successfully started lab1.' } },
  restartAdapter: { reply: { status: 'OK', message: 'Successfully restarted lab1.' } },
  deleteAdapterCache: { reply: { status: 'OK', message: 'Successfully emptied the cache of lab1.' } },
  stopAdapter: { reply: { status: 'OK', message: 'Successfully stopped lab1.' } },
  deleteAdapter: { reply: { status: 'OK', message: 'Successfully deleted lab1.' } },
};
