import { hash } from 'node:crypto';
import type { JsonObject } from '../json/json-object.js';
import { readNumericDate } from './numeric-date.js';

/** Maximum lifetime and clock tolerance that the settings of an issuer allow, in milliseconds. */
export const LONGEST_TOKEN_MS = (86_400 + 3_600) * 1000;

/** Session and subject of a token, as keys of {@link RevokedSessions}. */
export interface TokenOrigin {
  /** Undefined for a token without `sid`. */
  readonly session: string | undefined;
  readonly subject: string;
  /** `iat` of the token, in seconds since 1970; 0 for a token without `iat`. */
  readonly issuedAt: number;
}

const SESSION_PREFIX = 'sid:';
const SUBJECT_PREFIX = 'sub:';

/** Returns the key that revokes all tokens of a session at an identity provider (claim `sid`). */
export function revokedSessionKey(issuer: string, sid: string): string {
  return SESSION_PREFIX + digest(issuer, sid);
}

/** Returns the key that revokes all tokens of a subject that were issued until a time, in seconds since 1970. */
export function revokedSubjectKey(issuer: string, subject: string, issuedUntil: number): string {
  return `${SUBJECT_PREFIX}${digest(issuer, subject)}@${issuedUntil}`;
}

/** Returns the session and subject of a token, from its verified payload. */
export function originOf(issuer: string, { sid, sub, iat }: JsonObject): TokenOrigin {
  return {
    session: typeof sid === 'string' ? revokedSessionKey(issuer, sid) : undefined,
    subject: digest(issuer, String(sub)),
    issuedAt: readNumericDate(iat) ?? 0,
  };
}

function digest(issuer: string, name: string): string {
  return hash('sha256', JSON.stringify([issuer, name]), 'base64url');
}

/** Sessions and subjects whose tokens were revoked together. */
export interface RevokedSessions {
  /** Adds an entry; ignores the digest of a single token. */
  readonly add: (digest: string) => void;
  /** Removes an entry that has expired. */
  readonly remove: (digest: string) => void;
  readonly has: (origin: TokenOrigin) => boolean;
}

/** Creates an empty index of revoked sessions and subjects. */
export function createRevokedSessions(): RevokedSessions {
  const sessions = new Set<string>();
  /** Time until which tokens are revoked, by subject. */
  const subjects = new Map<string, number>();

  function subjectOf(text: string): [subject: string, issuedUntil: number] {
    const at = text.lastIndexOf('@');
    return [text.slice(SUBJECT_PREFIX.length, at), Number(text.slice(at + 1))];
  }

  return {
    add(text) {
      if (text.startsWith(SESSION_PREFIX)) sessions.add(text);
      if (!text.startsWith(SUBJECT_PREFIX)) return;
      const [subject, issuedUntil] = subjectOf(text);
      subjects.set(subject, Math.max(issuedUntil, subjects.get(subject) ?? 0));
    },
    remove(text) {
      sessions.delete(text);
      if (!text.startsWith(SUBJECT_PREFIX)) return;
      const [subject, issuedUntil] = subjectOf(text);
      // A later entry of the subject stays.
      if (subjects.get(subject) === issuedUntil) subjects.delete(subject);
    },
    has({ session, subject, issuedAt }) {
      if (session !== undefined && sessions.size > 0 && sessions.has(session)) return true;
      return subjects.size > 0 && issuedAt <= (subjects.get(subject) ?? -1);
    },
  };
}
