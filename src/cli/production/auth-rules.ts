import type { Settings } from '../../settings/settings.js';
import { at, entries, isPlainHttp, isPostgres, type ProductionRule } from './rule.js';

const signsIn = ({ auth }: Settings): boolean => auth.issuers.some(({ signIn }) => signIn !== undefined);

/** The rules for the section `auth`. */
export const AUTH_RULES: readonly ProductionRule<Settings>[] = [
  {
    setting: 'auth.issuers',
    message: 'is empty, so people have passwords of this server only, which stay valid when they leave',
    fix: 'Name your identity provider, as in the how-tos "Sign in with ...".',
    isFault: false,
    broken: ({ auth }) => at('/auth/issuers', auth.issuers.length === 0),
  },
  {
    setting: 'auth.issuers[].issuer',
    message:
      'is fetched by http, so an attacker on the path can replace the keys that tokens are verified with',
    fix: 'Use the https address of the issuer.',
    isFault: true,
    broken: ({ auth }) =>
      entries(
        auth.issuers,
        (index) => `/auth/issuers/${index}`,
        ({ issuer, discovery, jwksUri }) =>
          isPlainHttp(jwksUri) || (discovery === true && isPlainHttp(issuer)),
      ),
  },
  {
    setting: 'auth.issuers[].secret',
    message: 'is a key that signs and verifies: everybody who can verify a token can issue one',
    fix: 'Let the issuer sign with RS256 or ES256, and use discovery, jwksUri or publicKeyFile.',
    isFault: false,
    broken: ({ auth }) =>
      entries(
        auth.issuers,
        (index) => `/auth/issuers/${index}/secret`,
        ({ secret }) => secret !== undefined,
      ),
  },
  {
    setting: 'auth.issuers[].roleMap',
    message:
      'is missing, so every role name of the issuer counts, also one that somebody else there calls "admin"',
    fix: 'Map the groups of your issuer, for example { net-admins: admin, net-ops: engineering }.',
    isFault: false,
    broken: ({ auth }) =>
      entries(
        auth.issuers,
        (index) => `/auth/issuers/${index}/roleMap`,
        ({ roleMap, claimRoles }) => roleMap === undefined && claimRoles === undefined,
      ),
  },
  {
    setting: 'auth.signInSecret',
    message:
      'is missing, so a sign-in that begins at one node and ends at another needs the same key file on all nodes',
    fix: 'Write a reference such as $VAULT_gatehouse/sign-in#key.',
    isFault: false,
    broken: (settings) =>
      at(
        '/auth/signInSecret',
        settings.auth.signInSecret === undefined && signsIn(settings) && isPostgres(settings),
      ),
  },
  {
    setting: 'auth.local.enabled',
    message:
      'is true beside an identity provider, so tokens of this server and its passwords open the same doors',
    fix: 'Set it to false, unless programs request tokens at /oauth/token.',
    isFault: false,
    broken: ({ auth }) =>
      at(
        '/auth/local/enabled',
        auth.local.enabled && auth.issuers.length > 0 && auth.local.clients.length === 0,
      ),
  },
  {
    setting: 'auth.local.accept',
    message: 'accepts tokens in the address, which proxies and browsers write to logs and histories',
    fix: 'Leave out "query", unless a client of the old platform needs it.',
    isFault: false,
    broken: ({ auth }) =>
      at('/auth/local/accept', auth.local.enabled && auth.local.accept.some((style) => style === 'query')),
  },
];
