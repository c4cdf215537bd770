import type { AdapterPlugin, OutboundRequest, RestCall } from '../../src/core/adapter.js';
import { type NetconfOptions, optionsSchema } from './options.js';
import { explainFault, YANG_JSON } from './replies.js';
import { createServerAccess } from './server-access.js';

/** Carries RESTCONF requests (RFC 8040) out on devices that speak NETCONF (RFC 6241). */
export const plugin: AdapterPlugin<NetconfOptions> = {
  type: 'netconf',
  apiVersion: 1,
  summary: 'Devices with NETCONF 1.0 or 1.1 over SSH or TLS; calls have the paths and JSON of RESTCONF.',
  options: optionsSchema,
  create(options, context) {
    return {
      translate: (call) => [requestFor(call)],
      explain: explainFault,
      ...createServerAccess(options, context),
    };
  },
};

function requestFor({ method, path, accept, contentType = YANG_JSON, body }: RestCall): OutboundRequest {
  if (!body) return { method, path, headers: { accept } };
  return { method, path, headers: { accept, 'content-type': contentType }, body };
}
