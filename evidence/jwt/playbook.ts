import { encodePart, makeKeys, signToken, type TestIssuer } from '../../test/support/tokens.js';

const COMMON_SECRETS = (
  'secret Secret SECRET secret1 secret123 secretkey secret_key secret-key my-secret mysecret my_secret supersecret ' +
  'super-secret topsecret jwt JWT jwtsecret jwt_secret jwt-secret jwtkey jwt_key key Key private privatekey private_key ' +
  'public publickey password Password password1 password123 passw0rd P@ssw0rd pass passwd pw admin admin123 root toor ' +
  'user test test123 testing demo example changeme change_me changeit default letmein welcome qwerty qwerty123 abc123 ' +
  '123 1234 12345 123456 1234567 12345678 123456789 1234567890 0 00000000 1111 11111111 iloveyou monkey dragon master ' +
  'shhhhh shhhhhhared-secret your-256-bit-secret your-384-bit-secret your-512-bit-secret token auth oauth session cookie ' +
  'hmac sha256 HS256 none null undefined true false keyboardcat gatehouse Gatehouse gateway proxy'
).split(' ');

const CLAIMS = (
  'iss sub aud exp nbf iat jti typ azp scope scp role roles group groups permissions authorities admin is_admin isAdmin ' +
  'user username user_name userid user_id uid id name email email_verified preferred_username given_name family_name ' +
  'tenant tenant_id org org_id account client_id cid realm_access resource_access entitlements privileges level access ' +
  'acr amr auth_time nonce sid session_state act may_act cnf events upn oid ver'
).split(' ');

const HEADER_CLAIMS = ['alg', 'typ', 'kid', 'cty'];
const VALUES: readonly unknown[] = ['admin', true, null, ['admin'], 2_147_483_647];

const KIDS = [
  '/dev/null',
  '../../../../../../dev/null',
  '/proc/sys/kernel/randomize_va_space',
  "x' UNION SELECT '';--",
  '|/usr/bin/true',
  '',
  '/etc/hostname',
];

/** Returns the attacks of a tool on one captured token: 17 exploits, common secrets, changed claims. */
export function playbook(idp: TestIssuer): readonly string[] {
  const good = idp.sign({ roles: ['engineering'] });
  const [header = '', payload = '', signature = ''] = good.split('.');
  const claims = Buffer.from(payload, 'base64url').toString();
  const keyed = (key: string | Buffer, more: object = {}): string =>
    signToken({
      algorithm: 'HS256',
      key: Buffer.from(key),
      header: JSON.stringify({ alg: 'HS256', typ: 'JWT', ...more }),
      payload: claims,
    });
  const unsigned = (alg: string): string => `${encodePart(JSON.stringify({ alg, typ: 'JWT' }))}.${payload}.`;
  const { publicKey, privateKey } = makeKeys('ES256');
  const own = (more: object): string =>
    signToken({
      algorithm: 'ES256',
      key: privateKey,
      header: JSON.stringify({ alg: 'ES256', ...more }),
      payload: claims,
    });
  return [
    ...['none', 'None', 'NONE', 'nOnE'].map(unsigned),
    `${header}.${payload}.`,
    keyed(''),
    keyed(idp.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    own({ jwk: publicKey.export({ format: 'jwk' }) }),
    own({ jku: 'http://127.0.0.1:9/jwks.json', kid: 'x' }),
    ...KIDS.map((kid) => keyed('', { kid })),
    `${header}.${payload}.${signature.slice(0, -8)}`,
    ...COMMON_SECRETS.map((secret) => keyed(secret)),
    ...changed({ header, payload, signature }),
  ];
}

/** Returns tokens with every claim set to every value, under the original signature. */
function changed({
  header,
  payload,
  signature,
}: Readonly<Record<'header' | 'payload' | 'signature', string>>): readonly string[] {
  const edit = (part: string, name: string, value: unknown): string => {
    const members = JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    return encodePart(JSON.stringify({ ...members, [name]: value }));
  };
  return VALUES.flatMap((value) => [
    ...HEADER_CLAIMS.map((name) => `${edit(header, name, value)}.${payload}.${signature}`),
    ...CLAIMS.map((name) => `${header}.${edit(payload, name, value)}.${signature}`),
  ]);
}
