import type { Application } from '../../core/operation.js';
import { beginSignIn } from './begin-sign-in.js';
import { closeSession } from './close-session.js';
import type { LoginDeps } from './deps.js';
import { finishSignIn } from './finish-sign-in.js';
import { getSignIn } from './get-sign-in.js';
import { getToken } from './get-token.js';
import { logIn } from './log-in.js';
import { openSession } from './open-session.js';
import { whoAmI } from './who-am-i.js';

/** Login, and the identity of the caller (wire section 1). */
export const login: Application<LoginDeps> = {
  name: 'login',
  summary: 'Logging in: tokens for people and programs, and who one is then.',
  prefixes: [''],
  operations: [
    ...[logIn, getToken, whoAmI],
    ...[getSignIn, openSession, closeSession, beginSignIn, finishSignIn],
  ],
};
