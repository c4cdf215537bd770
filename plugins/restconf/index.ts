import type { AdapterPlugin, OutboundRequest, RestCall } from '../../src/core/adapter.js';
import { explainErrors } from './errors.js';
import { CONVENTIONAL_ROOT, discoverRoot, pathOnServer, ROOT_PATTERN } from './root.js';

export interface RestconfOptions {
  /** Path of the RESTCONF root below the base URL; absent: the root is discovered at start. */
  readonly root?: string;
}

const YANG_JSON = 'application/yang-data+json';

/**
 * Translates calls to RESTCONF (RFC 8040): finds the API root, sends the right media types, converts error reports to
 * text.
 */
export const plugin: AdapterPlugin<RestconfOptions> = {
  type: 'restconf',
  apiVersion: 1,
  summary: 'Orchestrators and devices with a RESTCONF interface (RFC 8040).',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      root: {
        description: 'Path of the RESTCONF root below baseUrl. Without it the root is discovered at start.',
        type: 'string',
        maxLength: 256,
        pattern: `^/$|${ROOT_PATTERN}`,
      },
    },
  },
  movesPaths: true,
  create(options, context) {
    const given = options.root === '/' ? '' : options.root;
    let root = given ?? CONVENTIONAL_ROOT;
    return {
      translate: (call) => [requestFor(call, root)],
      explain: explainErrors,
      async start(signal) {
        if (given === undefined) root = await discoverRoot(context, signal);
      },
    };
  },
};

function requestFor(call: RestCall, root: string): OutboundRequest {
  const { method, contentType = YANG_JSON, body } = call;
  const path = pathOnServer(call.path, root);
  const accept = acceptFor(call.accept);
  if (!body) return { method, path, headers: { accept } };
  return { method, path, headers: { accept, 'content-type': contentType }, body };
}

/**
 * Returns the `accept` header. Servers that follow RFC 8040 section 5.2 strictly answer 406 to plain JSON,
 * which many callers request.
 */
function acceptFor(accept: string): string {
  return accept.trim().toLowerCase() === 'application/json' ? `${YANG_JSON}, application/json;q=0.9` : accept;
}
