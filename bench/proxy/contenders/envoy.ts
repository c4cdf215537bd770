import { fileURLToPath } from 'node:url';
import type { Contender } from '../contender.js';
import { envelopeEndpoint, forwardingEndpoint } from '../endpoint.js';
import { ENVOY, startEnvoy } from '../envoy.js';
import { lackOf } from '../installed.js';

const SCRIPT = fileURLToPath(new URL('../../../../bench/peers/envoy-translate.lua', import.meta.url));

/** Envoy with a cache of verified tokens; its RBAC filter looks for the role in the whole list. */
export const envoy: Contender = {
  name: 'envoy',
  says: 'token, role; no translation, no log',
  endpoint: forwardingEndpoint,
  checksRoles: true,
  lack: () => lackOf(ENVOY),
  start: (place) => startEnvoy(place, { writesLog: false }),
};

/** Envoy that translates in Lua and writes an access log. */
export const envoyLua: Contender = {
  ...envoy,
  name: 'envoy-lua',
  says: 'token, role, translation, request ids, access log; no schema, no audit',
  endpoint: envelopeEndpoint('/orchestrator_manager', 'bench'),
  start: (place) => startEnvoy(place, { script: SCRIPT, writesLog: true }),
};
