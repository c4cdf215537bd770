import { NAME_LENGTH, PASSWORD_LENGTH } from '../../core/login.js';
import type { Operation } from '../../core/operation.js';
import { Secret } from '../../core/secret.js';
import type { LoginDeps } from './deps.js';
import { issueToken } from './issue-token.js';
import { pageComesByTls, sessionCookie } from './session-cookie.js';

interface Person {
  readonly username: string;
  readonly password: string;
}

/** The two request bodies that clients send (wire section 1.1). */
type LoginBody = Person | { readonly user: Person };

const person = {
  username: { type: 'string', minLength: 1, maxLength: NAME_LENGTH },
  password: { type: 'string', maxLength: PASSWORD_LENGTH },
} as const;

const requestSchema = {
  title: 'Login',
  type: 'object',
  properties: {
    user: { type: 'object', required: ['username', 'password'], properties: person },
    ...person,
  },
  if: { required: ['user'], properties: { user: true } },
  else: { required: ['username', 'password'], properties: { username: true, password: true } },
} as const;

const replySchema = { title: 'Token', type: 'string', description: 'The token itself, not as JSON' } as const;

/** Issues a token to a person, as the text of the reply and as the cookie `token` (wire section 1.1). */
export const logIn: Operation<LoginDeps, LoginBody> = {
  id: 'login',
  summary: 'Log in with a user name and a password, and get a token as text and as a cookie.',
  method: 'POST',
  path: '/login',
  roles: 'public',
  body: requestSchema,
  reply: replySchema,
  replyHeaders: { 'set-cookie': 'The token once more, as the cookie "token"' },
  replyType: 'text/plain; charset=utf-8',
  audited: true,
  async handle({ body, header, address }, deps) {
    const { username: name, password } = 'user' in body ? body.user : body;
    const attempt = { name, password: new Secret(password), address, kinds: ['user'] as const };
    const { token, expiresIn, outcome } = await issueToken(attempt, deps);
    const terms = { token, maxAge: expiresIn, isSecure: pageComesByTls({ header }, deps) };
    return { body: token, outcome, headers: { 'set-cookie': sessionCookie(terms) } };
  },
};
