import type { LogoutNotice } from '../../core/sign-in.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { Clock } from '../../lib/clock.js';
import { checkAudience } from '../claims.js';
import { type Issuer, pickKey } from '../issuer.js';
import { checkJwt } from '../jwt.js';
import { isAlgorithm } from '../keys.js';
import { readNumericDate } from '../numeric-date.js';
import { isKeyId, MAX_TOKEN_LENGTH, parseJsonObject } from '../token.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const TOKEN_TYPES = ['jwt', 'logout+jwt'];
/** Maximum age of a logout token, in seconds; providers send them at once. */
const MAX_AGE_SECONDS = 300;

/** Verifier of the logout tokens of all issuers with sign-ins. */
interface LogoutTokens {
  /** Returns the content of a logout token. Throws an Error without token text. */
  verify(token: string): Promise<LogoutNotice>;
}

/**
 * Creates the verifier of logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.6). `issuerOf` returns
 * an issuer whose audience is the client of its sign-ins.
 */
export function createLogoutTokens(
  issuerOf: (issuer: string) => Issuer | undefined,
  clock: Clock,
): LogoutTokens {
  const seen = new BoundedMap<string, number>({ maxEntries: 10_000 });

  /** Throws if the token was sent before. */
  function requireFirstUse(issuer: string, jti: string): void {
    const key = JSON.stringify([issuer, jti]);
    const until = seen.get(key);
    if (until !== undefined && clock.now() < until) throw new Error('the logout token was sent before');
    seen.set(key, clock.now() + 2 * MAX_AGE_SECONDS * 1000);
  }

  return {
    async verify(text) {
      const { header, payload } = readLogoutToken(text);
      const { iss } = payload;
      const issuer = typeof iss === 'string' ? issuerOf(iss) : undefined;
      if (!issuer) throw new Error('iss is not an issuer with sign-ins');
      await checkSignature(text, header, { issuer, clock });
      const notice = readNotice(payload, issuer, clock);
      requireFirstUse(notice.issuer, String(payload['jti']));
      return notice;
    },
  };
}

function readLogoutToken(text: string): { readonly header: JsonObject; readonly payload: JsonObject } {
  if (text.length > MAX_TOKEN_LENGTH) throw new Error('the logout token is too long');
  const [header = '', payload = '', signature = '', ...others] = text.split('.');
  if (signature === '' || others.length > 0) throw new Error('the logout token does not have three parts');
  const parse = (part: string): JsonObject => parseJsonObject(Buffer.from(part, 'base64url'));
  return { header: parse(header), payload: parse(payload) };
}

async function checkSignature(
  text: string,
  { alg, typ, kid, crit }: JsonObject,
  { issuer, clock }: { readonly issuer: Issuer; readonly clock: Clock },
): Promise<void> {
  if (!isAlgorithm(alg)) throw new Error('the header does not name an accepted algorithm');
  const isType = typ === undefined || (typeof typ === 'string' && TOKEN_TYPES.includes(typ.toLowerCase()));
  if (!isType || crit !== undefined) throw new Error('the header is not that of a logout token');
  if (!isKeyId(kid)) throw new Error('the header has a kid that is not a text');
  const current = issuer.keys.current();
  const fit = current && pickKey(current, { alg, kid });
  const renewed = fit ? undefined : await issuer.keys.renew({ alg, kid });
  const key = fit ?? (renewed && pickKey(renewed, { alg, kid }));
  if (!key) throw new Error('no key of the issuer fits');
  const now = Math.floor(clock.now() / 1000);
  checkJwt(text, { key: key.key, algorithm: alg, rules: issuer.rules, now });
}

/** Reads the claims of a logout token with a verified signature. Of an EdDSA token, nothing else was verified. */
function readNotice(payload: JsonObject, { rules }: Issuer, clock: Clock): LogoutNotice {
  checkAudience(payload, rules);
  const issuedAt = readTimes(payload, rules.clockToleranceSeconds, clock);
  const { jti, nonce, events } = payload;
  if (textOf(jti) === undefined) throw new Error('the logout token has no jti');
  if (nonce !== undefined) throw new Error('a logout token has no nonce');
  if (!isJsonObject(events) || !isJsonObject(events[LOGOUT_EVENT]))
    throw new Error('the logout token has no back-channel logout event');
  const [sid, subject] = [textOf(payload['sid']), textOf(payload['sub'])];
  if (sid === undefined && subject === undefined) throw new Error('the logout token names no session');
  return { issuer: rules.issuer, sid, subject, issuedAt };
}

/** Checks the times and returns `iat`, in seconds since 1970. */
function readTimes({ exp, iat: written }: JsonObject, tolerance: number, clock: Clock): number {
  const iat = readNumericDate(written);
  const now = Math.floor(clock.now() / 1000);
  if (exp !== undefined && now >= (readNumericDate(exp) ?? 0) + tolerance)
    throw new Error('exp of the logout token has passed');
  if (iat === undefined || iat > now + tolerance || iat < now - MAX_AGE_SECONDS - tolerance)
    throw new Error('iat of the logout token is not current');
  return iat;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
