import { cheapHash } from '../../support/password-hash.js';
import { ansible, type ClientCase, clientServer, ipctl, ipsdk, requests, showing } from './replay.js';

const USER = { username: 'admin@pronghorn', password: 'pw-77c1-of-the-admin' };
const CLIENT = { id: '678ec2', secret: 's3cret-19ab-of-the-client' };

/** Raw text without quotes, line breaks and characters that a URL or a cookie must escape. */
const TOKEN = /^[\w.~-]+$/;
const asPlainText = [TOKEN, { type: 'text/plain', keeps: { text: '' } }] as const;
const person = { username: USER.username, provenance: 'local_aaa' };
const program = { username: CLIENT.id };
const whoami = 'GET /whoami';
const grant = `client_id=${CLIENT.id}&client_secret=${CLIENT.secret}&grant_type=client_credentials`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const logIn = (send: typeof ipctl, body: object = { user: USER }, route: '/login' | '/login/' = '/login') =>
  showing('nothing', send(`POST ${route}`, body));

const cases: readonly ClientCase[] = [
  ['ipctl and ipsdk log in, and use the cookie', logIn(ipctl), ...asPlainText],
  ['... which they send with later requests', showing('jar', ipsdk(whoami)), person],
  ['iap-sdk logs in, and reads the token from the body', logIn(requests), ...asPlainText],
  [
    '... which it sends as a cookie',
    showing('nothing', requests(whoami, undefined, { cookie: 'token={text}' })),
    person,
  ],
  ['the collection itential.platform logs in', logIn(ansible), ...asPlainText],
  [
    '... and sends the token in every query',
    showing('nothing', ansible('GET /health/system?token={text}')),
    { arch: process.arch },
  ],
  [
    'Itential.py logs in with a slash at the end, and keeps the cookie',
    logIn(requests, { user: USER }, '/login/'),
    ...asPlainText,
  ],
  ['... which it sends to a path with two slashes', showing('jar', requests('GET //json-forms/forms')), []],
  [
    'Itential.py reads the message of a failed login',
    logIn(requests, { user: { ...USER, password: 'admin' } }, '/login/'),
    { message: 'Invalid credentials' },
    { status: 401 },
  ],
  [
    'ipctl treats 401 as an expired session',
    showing('nothing', ipctl(whoami, undefined, { cookie: 'token=9f0999c2-7054-4820-8eeb-c3052d30acaa' })),
    {},
    { status: 401 },
  ],
  [
    'ipctl and ipsdk request a client token with a form',
    showing('nothing', ipctl('POST /oauth/token', grant, form)),
    { access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 },
    { keeps: { access: '/access_token' } },
  ],
  [
    '... and send it as Bearer',
    showing('nothing', ipctl(whoami, undefined, { authorization: 'Bearer {access}' })),
    program,
  ],
  [
    'asyncplatform reads the API description',
    ipsdk('GET /help/openapi?url=http://127.0.0.1:3000'),
    { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:3000' }] },
  ],
];

describe('clients that log in', () => {
  const user = `{ username: '${USER.username}', passwordHash: '${cheapHash(USER.password)}', roles: [admin] }`;
  const client = `{ clientId: '${CLIENT.id}', clientSecretHash: $VAULT_adapters/logins#client, roles: [admin] }`;
  const { replay } = clientServer({
    main: { local: `users: [${user}], clients: [${client}]` },
    secrets: { 'adapters/logins': { client: cheapHash(CLIENT.secret) } },
  });
  replay(cases);
});
