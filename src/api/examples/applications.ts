// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getApplications: {
    reply: {
      results: [
        {
          metadata: { isActive: true, activeSync: true },
          data: {
            name: 'JsonForms',
            type: 'Application',
            model: 'gatehouse/JsonForms',
            properties: {},
            isEncrypted: true,
            loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
            virtual: false,
          },
        },
      ],
      total: 3,
    },
  },
  getApplication: {
    reply: {
      metadata: { isActive: true, activeSync: true },
      data: {
        name: 'JsonForms',
        type: 'Application',
        model: 'gatehouse/JsonForms',
        properties: {},
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  updateApplication: {
    body: { properties: { loggerProps: { console_level: 'info' } } },
    reply: {
      status: 'OK',
      message: 'Successfully updated JsonForms.',
      data: {
        name: 'JsonForms',
        type: 'Application',
        model: 'gatehouse/JsonForms',
        properties: {},
        isEncrypted: true,
        loggerProps: { description: 'Logging', log_max_files: 100, log_max_file_size: 1048576 },
        virtual: false,
      },
    },
  },
  updateApplicationProperties: {
    body: { properties: {} },
    reply: { status: 'OK', message: 'Successfully updated JsonForms.' },
  },
  updateApplicationLogging: {
    body: { properties: { level: 'info' } },
    reply: { status: 'OK', message: 'Successfully updated the log level of JsonForms.' },
  },
  getApplicationChangelogs: {
    reply: {
      results: [
        {
          version: '1.0.0',
          date: '2026-11-28',
          changes: [
            '`restCall`, `restAction` and `restQuery`, compatible with existing clients of the platform ([Call an orchestrator](docs/how-to/call-an-orchestrator.md)).',
            '`ANY /proxy/:adapterId/*` streams files, server-sent events and WebSockets ([Stream through the proxy](docs/how-to/stream-through-the-proxy.md)).',
          ],
        },
      ],
      total: 1,
    },
  },
  startApplication: { reply: { status: 'OK', message: 'Successfully started JsonForms.' } },
  restartApplication: { reply: { status: 'OK', message: 'Successfully restarted JsonForms.' } },
  stopApplication: { reply: { status: 'OK', message: 'Successfully stopped JsonForms.' } },
};
