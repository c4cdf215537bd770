import { headerNamePattern } from '../../core/header.js';
import type { ImportReport } from './import-report.js';
import type { Address } from './policies.js';
import { at, type SourceLocation } from './source-location.js';

/** Value of the key `auth` of an adapter. */
type Login = Readonly<Record<string, unknown>>;

interface LoginInput {
  readonly id: string;
  readonly own: SourceLocation;
  readonly address: Address;
  readonly report: ImportReport;
}

const NAME = new RegExp(headerNamePattern(['content-encoding']));

/** Returns the login of an adapter; undefined if its settings do not define the login. */
export function loginOf(input: LoginInput): Login | undefined {
  const { own, report } = input;
  const authentication = at(own, 'authentication');
  const method = at(authentication, 'auth_method');
  const { value } = method;
  if (value === undefined || value === null || value === '') return { type: 'none' };
  const login = typeof value === 'string' ? METHODS.get(value)?.(authentication, input) : undefined;
  if (login) report.use(method);
  return login;
}

type Method = (authentication: SourceLocation, input: LoginInput) => Login | undefined;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['no_authentication', () => ({ type: 'none' })],
  ['basic user_password', basic],
  ['static_token', staticToken],
  ['request_token', requestToken],
]);

function basic(authentication: SourceLocation, { id, report }: LoginInput): Login | undefined {
  const [user, secret] = [at(authentication, 'username'), at(authentication, 'password')];
  if (!isText(user) || !isText(secret)) return undefined;
  return {
    type: 'basic',
    username: nameFrom(user, id, report),
    password: report.secret(secret, { adapter: id, pointer: '/auth/password' }),
  };
}

/**
 * Returns the user name. A name that Basic cannot carry, or that looks like a template, moves to Vault with
 * the password.
 */
function nameFrom(user: SourceLocation, id: string, report: ImportReport): string | undefined {
  const migrant = { adapter: id, pointer: '/auth/username' };
  return isMatch(user.value, /^[^:{\p{Cc}]+$/u) ? report.text(user, migrant) : report.secret(user, migrant);
}

function staticToken(authentication: SourceLocation, { id, report }: LoginInput): Login | undefined {
  const token = at(authentication, 'token');
  const header = headerOf(authentication);
  if (!isText(token) || !header) return undefined;
  useHeader(authentication, report);
  const migrant = { adapter: id, pointer: '/auth/token' };
  const { name, before } = header;
  if (/^authorization$/i.test(name) && before === 'Bearer ')
    return { type: 'bearer', token: report.secret(token, migrant) };
  const hint = before === '' ? undefined : `with the prefix "${before}", which is part of the header`;
  if (hint !== undefined)
    report.tasks.push(`adapters/${id}.yaml: /auth/value is sent unchanged from Vault: store it ${hint}.`);
  return { type: 'header', name, value: report.secret(token, migrant, hint) };
}

/**
 * Returns the login of older adapters, whose settings name the fields of the login request and of the token
 * in its reply.
 */
function requestToken(
  authentication: SourceLocation,
  { id, address, report }: LoginInput,
): Login | undefined {
  const [user, secret] = [at(authentication, 'username'), at(authentication, 'password')];
  const names = ['token_user_field', 'token_password_field', 'token_result_field', 'token_URI_path'];
  const places = names.map((name) => at(authentication, name));
  const [userField, secretField, resultField, path] = places.map(({ value }) => value);
  const header = headerOf(authentication);
  const isKnown = [userField, secretField, resultField].every((name) => isMatch(name, /^\w[\w-]{0,63}$/));
  const below = isMatch(path, /^\/[\w./~-]{1,256}$/) && `${path}/`.startsWith(`${address.path}/`);
  if (!isText(user) || !isText(secret) || !header || !isKnown || !below) return undefined;
  for (const place of places) report.use(place);
  useHeader(authentication, report);
  const body = {
    [String(userField)]: nameFrom(user, id, report),
    [String(secretField)]: report.secret(secret, { adapter: id, pointer: '/auth/password' }),
  };
  const life = report.integer(at(authentication, 'token_timeout'), [1_000, 2_147_483_647]);
  const refused = report.integer(at(authentication, 'invalid_token_error'), [300, 499]);
  return {
    type: 'login',
    steps: [
      {
        request: { path: path.slice(address.path.length), body },
        take: { token: `/${String(resultField)}` },
      },
    ],
    apply: { header: `${header.name}: ${header.before}{token}` },
    ...(life !== undefined && { expiresIn: Math.ceil(life / 1_000) }),
    ...(refused !== undefined && { refreshOn: [refused] }),
  };
}

/** Returns the header that carries the token, and the text before the token. */
function headerOf(
  authentication: SourceLocation,
): { readonly name: string; readonly before: string } | undefined {
  const [field, format] = [
    at(authentication, 'auth_field').value,
    at(authentication, 'auth_field_format').value,
  ];
  const [, name] = /^header\.headers\.([\w-]{1,64})$/.exec(String(field)) ?? [];
  const [, before] = /^([\w-]{0,16}[ :=]?)\{token\}$/.exec(String(format)) ?? [];
  return name !== undefined && before !== undefined && NAME.test(name) ? { name, before } : undefined;
}

function useHeader(authentication: SourceLocation, report: ImportReport): void {
  for (const name of ['auth_field', 'auth_field_format']) report.use(at(authentication, name));
}

function isText({ value }: SourceLocation): boolean {
  return typeof value === 'string' && value !== '';
}

function isMatch(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
