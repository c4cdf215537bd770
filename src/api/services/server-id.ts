import { createHash } from 'node:crypto';

/** 64 hexadecimal digits that name an installation: its host and its database. */
export function serverIdOf(host: string, storageUrl: string): string {
  return createHash('sha256').update(host).update(withoutCredentials(storageUrl)).digest('hex');
}

/** The digest is public: nobody may try passwords on it, wherever they stand (`user:password@`, `?password=`). */
function withoutCredentials(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/[^/]*@/, '//');
}
