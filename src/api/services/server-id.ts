import { createHash } from 'node:crypto';

/** Returns the 64 hexadecimal digits that identify an installation by its host and its database. */
export function serverIdOf(host: string, storageUrl: string): string {
  return createHash('sha256').update(host).update(withoutCredentials(storageUrl)).digest('hex');
}

/**
 * Removes passwords (`user:password@`, `?password=`) from a URL. The digest is public and must not allow an
 * attacker to test passwords.
 */
function withoutCredentials(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/[^/]*@/, '//');
}
