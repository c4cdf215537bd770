import { basic, json, type OrchestratorDefinition } from './definition.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

/** Reply of SD-WAN Manager to a client without a session; its status is 200. */
const SDWAN_LOGIN_PAGE = {
  status: 200,
  headers: { 'content-type': 'text/html;charset=UTF-8' },
  body: '<html><body><form method="POST" action="j_security_check"></form></body></html>',
} as const;

const SDWAN_SECRET = 'p+w &=%{token}';

const sdwan: OrchestratorDefinition = {
  example: 'cisco-sdwan',
  secret: SDWAN_SECRET,
  login: [
    {
      request: 'POST /j_security_check',
      headers: FORM,
      body: new URLSearchParams({ j_username: 'gatehouse', j_password: SDWAN_SECRET }).toString(),
      gives: { status: 200, headers: { 'set-cookie': 'JSESSIONID={token}; Path=/; Secure; HttpOnly' } },
      refuses: SDWAN_LOGIN_PAGE,
    },
    {
      request: 'GET /dataservice/client/token',
      headers: { cookie: 'JSESSIONID={token}' },
      body: '',
      gives: { status: 200, headers: { 'content-type': 'text/html;charset=UTF-8' }, body: '{xsrf}' },
      refuses: SDWAN_LOGIN_PAGE,
    },
  ],
  carries: { cookie: 'JSESSIONID={token}', 'x-xsrf-token': '{xsrf}' },
  endings: [
    SDWAN_LOGIN_PAGE,
    { status: 302, headers: { location: '/welcome.html' } },
    { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>SessionTokenFilter</html>' },
  ],
  health: '/dataservice/server/info',
  path: '/dataservice/device',
};

export const CISCO: readonly OrchestratorDefinition[] = [
  {
    example: 'cisco-nso',
    secret: 'pw-of-nso',
    login: [],
    carries: { authorization: basic('gatehouse', 'pw-of-nso') },
    endings: [json(401, { 'ietf-restconf:errors': { error: [{ 'error-tag': 'access-denied' }] } })],
    health: '/restconf/yang-library-version',
    path: '/restconf/data/tailf-ncs:devices',
  },
  {
    example: 'cisco-catalyst-center',
    secret: 'pw:of-catalyst-center',
    login: [
      {
        request: 'POST /dna/system/api/v1/auth/token',
        headers: { ...JSON_BODY, authorization: basic('gatehouse', 'pw:of-catalyst-center') },
        body: '',
        gives: json(200, { Token: '{token}' }),
        refuses: json(401, { error: 'Authentication has failed. Please provide valid credentials.' }),
      },
    ],
    carries: { 'x-auth-token': '{token}' },
    endings: [json(401, { message: 'token is expired' })],
    health: '/dna/intent/api/v1/network-device/count',
    path: '/dna/intent/api/v1/network-device',
  },
  sdwan,
  {
    example: 'cisco-sdwan-jwt',
    secret: 'pw-of-sdwan-jwt',
    login: [
      {
        request: 'POST /jwt/login',
        headers: JSON_BODY,
        body: '{"username":"gatehouse","password":"pw-of-sdwan-jwt","duration":1800}',
        gives: json(200, { token: '{token}', refresh: 'r', csrf: '{xsrf}', duration: 1800 }),
        refuses: json(401, { error: { message: 'Unauthorized' } }),
      },
    ],
    carries: { authorization: 'Bearer {token}', 'x-xsrf-token': '{xsrf}' },
    endings: [json(401, { error: { message: 'Unauthorized' } })],
    health: '/dataservice/server/info',
    path: '/dataservice/device',
  },
  {
    example: 'cisco-aci',
    secret: 'pw"of\\aci',
    login: [
      {
        request: 'POST /api/aaaLogin.json',
        headers: JSON_BODY,
        body: JSON.stringify({ aaaUser: { attributes: { name: 'gatehouse', pwd: 'pw"of\\aci' } } }),
        gives: {
          status: 200,
          headers: { ...JSON_BODY, 'set-cookie': 'APIC-cookie={token}; path=/; HttpOnly; Secure' },
          body: '{"totalCount":"1","imdata":[{"aaaLogin":{"attributes":{"token":"{token}","refreshTimeoutSeconds":"600"}}}]}',
        },
        refuses: json(401, { imdata: [{ error: { attributes: { text: 'Authentication DENIED' } } }] }),
      },
    ],
    carries: { cookie: 'APIC-cookie={token}' },
    endings: [json(403, { imdata: [{ error: { attributes: { code: '403', text: 'Token was invalid' } } }] })],
    health: '/api/mo/uni.json',
    path: '/api/class/fvTenant.json',
  },
  {
    example: 'cisco-meraki',
    secret: 'key-of-meraki',
    login: [],
    carries: { authorization: 'Bearer key-of-meraki' },
    endings: [json(401, { errors: ['Invalid API key'] })],
    health: '/api/v1/organizations',
    path: '/networks/N_1/devices',
    target: '/api/v1/networks/N_1/devices',
  },
];
