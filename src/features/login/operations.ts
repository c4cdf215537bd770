import type { Application } from '../../core/operation.js';
import { backChannelLogout } from './back-channel-logout.js';
import type { LoginDeps } from './deps.js';
import { getToken, logIn } from './issue-token.js';
import { getLoginMethods } from './login-methods.js';
import { renewSession } from './renew-session.js';
import { closeSession, openSession } from './session.js';
import { beginSignIn, finishSignIn, getSignIn } from './sign-in.js';
import { whoAmI } from './who-am-i.js';

export const login: Application<LoginDeps> = {
  name: 'login',
  summary: 'Get tokens, sign in with a browser, and get the identity of the caller.',
  prefixes: [''],
  operations: [
    ...[logIn, getLoginMethods, getToken, whoAmI],
    ...[getSignIn, openSession, renewSession, closeSession, beginSignIn, finishSignIn, backChannelLogout],
  ],
};
