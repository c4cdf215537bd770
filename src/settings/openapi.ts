import { file, flag, section } from './schema-parts.js';

/** Schema of the key `openapi` of an adapter. */
export const openApiSchema = section(
  ['OpenAPI', 'Methods from a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0; null: none.'],
  {
    file: file('File', 'The document, as JSON or YAML. It may refer to files below its folder.'),
    methods: {
      title: 'Methods',
      description:
        'Names of the methods that callers may call; * matches any number of characters. The command "gatehouse adapter from-openapi FILE --list" lists all.',
      type: 'array',
      minItems: 1,
      maxItems: 10_000,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 256 },
    },
    validateReplies: flag(
      'Validate replies',
      'True refuses a successful reply that is not what the document describes.',
      false,
    ),
  },
  { type: ['object', 'null'], default: null, required: ['file', 'methods'] },
);
