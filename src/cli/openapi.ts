import { isRelease, PRESENT_RELEASE } from '../core/deprecation.js';
import { createApiDescription } from '../features/api-description.js';
import { type Command, EXIT, parseOptions, UsageError } from './lib/command.js';

/** Prints the API description, which is generated from the operations. */
export const openapi: Command = {
  name: 'openapi',
  help: `Usage: gatehouse openapi [options]

Prints the OpenAPI 3.1 document of every operation as JSON, for example:

  gatehouse openapi > openapi.json

Options:
  --release R   release of the platform, which determines the deprecated operations (default: "${PRESENT_RELEASE}")`,
  run(args, io) {
    const { release } = parseOptions(args, { release: { type: 'string', default: PRESENT_RELEASE } });
    if (!isRelease(release))
      throw new UsageError(`--release: "${release}" is not a release; write year.number`);
    const document = createApiDescription(() => ({}), release)();
    io.out(`${JSON.stringify(document, null, 2)}\n`);
    return Promise.resolve(EXIT.ok);
  },
};
