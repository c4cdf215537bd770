import { openApiDocument } from '../http/openapi.js';
import { describeOperations } from '../operations.js';
import { VERSION } from '../version.js';
import { type Command, EXIT } from './command.js';
import { parseOptions } from './options.js';

/** Prints the API description that is made from the operation rows. */
export const openapi: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI 3.1 description of the API',
  help: `Usage: gatehouse openapi

Prints the OpenAPI 3.1 document of every operation as JSON, for example:

  gatehouse openapi > openapi.json`,
  run(args, io) {
    parseOptions(args, {});
    io.out(`${JSON.stringify(openApiDocument(describeOperations(), { version: VERSION }), null, 2)}\n`);
    return Promise.resolve(EXIT.ok);
  },
};
