import { basic, json, type OrchestratorDefinition } from './definition.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };
const DENIED = json(401, { 'ietf-restconf:errors': { error: [{ 'error-tag': 'access-denied' }] } });

/** Creates an orchestrator that requires fixed credentials in the header `Authorization`. */
function withFixed(
  example: string,
  { secret, authorization }: { readonly secret: string; readonly authorization: string },
  more: Pick<OrchestratorDefinition, 'endings' | 'health' | 'path' | 'target'>,
): OrchestratorDefinition {
  return { example, secret, login: [], carries: { authorization }, ...more };
}

/** The orchestrators of other vendors and projects. */
export const OTHERS: readonly OrchestratorDefinition[] = [
  {
    example: 'nokia-nsp',
    secret: 'pw+of%nsp!',
    login: [
      {
        request: 'POST /rest-gateway/rest/api/v1/auth/token',
        headers: { ...JSON_BODY, authorization: basic('gatehouse', 'pw+of%nsp!') },
        body: '{"grant_type":"client_credentials"}',
        gives: json(200, { access_token: '{token}', token_type: 'Bearer', expires_in: 3600 }),
        refuses: json(401, { error: 'invalid_client' }),
      },
    ],
    carries: { authorization: 'Bearer {token}' },
    endings: [json(401, { error: 'invalid_token' })],
    path: '/restconf/data/nsp-equipment:network/network-element',
  },
  {
    example: 'juniper-apstra',
    secret: 'pw-of-apstra',
    login: [
      {
        request: 'POST /api/aaa/login',
        headers: JSON_BODY,
        body: '{"username":"gatehouse","password":"pw-of-apstra"}',
        gives: json(201, { token: '{token}', id: '1' }),
        refuses: json(401, { errors: 'Invalid credentials' }),
      },
    ],
    carries: { authtoken: '{token}' },
    endings: [json(401, { errors: 'Token has expired' })],
    health: '/api/blueprints',
    path: '/api/systems',
  },
  withFixed(
    'opendaylight',
    { secret: 'pw-of-odl', authorization: basic('gatehouse', 'pw-of-odl') },
    {
      endings: [DENIED],
      health: '/rests/yang-library-version',
      path: '/restconf/data/network-topology:network-topology',
      target: '/rests/data/network-topology:network-topology',
    },
  ),
  withFixed(
    'onap-sdnc',
    { secret: 'pw-of-sdnc', authorization: basic('gatehouse', 'pw-of-sdnc') },
    {
      endings: [DENIED],
      health: '/rests/yang-library-version',
      path: '/restconf/operations/SLI-API:healthcheck',
      target: '/rests/operations/SLI-API:healthcheck',
    },
  ),
  withFixed(
    'netbox',
    { secret: 'nbt_k3y.t0ken-of-netbox', authorization: 'Bearer nbt_k3y.t0ken-of-netbox' },
    {
      endings: [json(403, { detail: 'Invalid v2 token' })],
      health: '/api/authentication-check/',
      path: '/api/dcim/sites/',
    },
  ),
  withFixed(
    'netbox-v1-token',
    { secret: 'Token 0123456789abcdef', authorization: 'Token 0123456789abcdef' },
    {
      endings: [json(403, { detail: 'Invalid v1 token' })],
      health: '/api/status/',
      path: '/api/dcim/sites/',
    },
  ),
  withFixed(
    'ansible-awx',
    { secret: 't0ken-of-awx', authorization: 'Bearer t0ken-of-awx' },
    {
      endings: [json(401, { detail: 'Authentication credentials were not provided.' })],
      health: '/api/v2/me/',
      path: '/api/v2/job_templates/7/launch/',
    },
  ),
  {
    example: 'vmware-nsx',
    secret: 'pw&of=nsx',
    login: [
      {
        request: 'POST /api/session/create',
        headers: FORM,
        body: new URLSearchParams({ j_username: 'gatehouse', j_password: 'pw&of=nsx' }).toString(),
        gives: {
          status: 200,
          headers: { 'set-cookie': 'JSESSIONID={token}; Path=/; Secure; HttpOnly', 'x-xsrf-token': '{xsrf}' },
        },
        refuses: json(403, { error_code: 403, error_message: 'The credentials were incorrect' }),
      },
    ],
    carries: { cookie: 'JSESSIONID={token}', 'x-xsrf-token': '{xsrf}' },
    endings: [json(403, { error_code: 403 }), json(401, { error_code: 401 })],
    health: '/api/v1/cluster/status',
    path: '/policy/api/v1/infra/segments',
  },
  {
    example: 'servicenow',
    secret: 'secret-of-servicenow',
    login: [
      {
        request: 'POST /oauth_token.do',
        headers: FORM,
        body: 'grant_type=client_credentials&client_id=00112233445566778899aabbccddeeff&client_secret=secret-of-servicenow',
        gives: json(200, { access_token: '{token}', scope: 'useraccount', token_type: 'Bearer', expires_in: 1799 }), // prettier-ignore
        refuses: json(401, { error: 'access_denied' }),
      },
    ],
    carries: { authorization: 'Bearer {token}' },
    endings: [json(401, { error: { message: 'User Not Authenticated' } })],
    health: '/api/now/table/sys_user?sysparm_limit=1&sysparm_fields=sys_id',
    path: '/api/now/table/incident?sysparm_limit=10',
  },
];
