import type { Contender } from '../contender.js';
import { envelopeEndpoint } from '../endpoint.js';
import { startGatehouse } from '../gatehouse-server.js';

/** gatehouse as it is installed, with its fast router. */
export const gatehouse: Contender = {
  name: 'gatehouse',
  says: 'token, role, schema, translation, audit, metrics, request ids, access log',
  endpoint: envelopeEndpoint('/orchestrator_manager', 'bench'),
  checksRoles: true,
  lack: () => undefined,
  start: (place) => startGatehouse(place),
};

/** The same with the router of Express: the fast router leaves names that must be decoded to Express. */
export const gatehouseExpress: Contender = {
  ...gatehouse,
  name: 'gatehouse-express',
  says: 'the same, without the fast path',
  endpoint: envelopeEndpoint('/orchestrator_manager', '%62ench'),
};
