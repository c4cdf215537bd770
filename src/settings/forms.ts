import { atStart, bytes, file, integer, milliseconds, section } from './schema-parts.js';
import { tasksSchema } from './tasks.js';

/** Schema of the key `forms`. */
export const formsSchema = section(['Forms', 'JSON forms, and the JSON Schemas that callers send.'], {
  maxBytes: bytes('Form size', 'Maximum size of a form, and of a schema with its data, in bytes.', 1_048_576),
  maxForms: integer('Forms', 'Maximum number of forms.', {
    minimum: 1,
    maximum: 10_000_000,
    default: 100_000,
  }),
  maxVersions: integer('Versions', 'Maximum number of previous versions of each form.', {
    minimum: 0,
    maximum: 1000,
    default: 20,
  }),
  validateTimeoutMs: atStart(
    milliseconds(
      'Validation time-out',
      'Maximum time of one validation against the schema of a caller or a form, in milliseconds. A separate limit of steps does not depend on the load of the machine.',
      10_000,
    ),
  ),
  validateMemoryMb: atStart(
    integer('Validation memory', 'Megabytes of heap that one validation may use.', {
      minimum: 32,
      maximum: 4096,
      default: 64,
    }),
  ),
  yangPath: {
    title: 'YANG folders',
    description: 'Folders that are searched for imported YANG modules.',
    type: 'array',
    default: [],
    items: file('Folder', 'Folder with YANG modules.'),
    'x-restart': true,
  },
  yang: atStart(yangSchema()),
  tasks: tasksSchema,
});

function yangSchema() {
  return section(['YANG', 'Limits of one conversion of YANG modules to JSON Schema.'], {
    maxBytes: bytes(
      'Size of the texts',
      'Maximum size of a request with YANG modules in bytes, and maximum number of characters of all modules with their imports.',
      67_108_864,
    ),
    maxStatements: integer('Statements', 'Maximum number of statements of all modules.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 4_000_000,
    }),
    maxNodes: integer('Nodes', 'Maximum number of schema nodes after groupings are expanded.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 1_000_000,
    }),
    timeoutMs: milliseconds('Time-out', 'Maximum time of one conversion, in milliseconds.', 60_000),
    memoryMb: integer('Memory', 'Megabytes of heap that one conversion may use.', {
      minimum: 64,
      maximum: 16_384,
      default: 1024,
    }),
  });
}
