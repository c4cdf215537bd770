import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Decides whether a server is the expected one. */
export interface HostKeys {
  /** Returns undefined for an accepted key, and otherwise the reason for the operator. */
  refusal(key: Buffer): string | undefined;
  /** Types of the known keys, such as `ssh-ed25519`; empty if the types are unknown. */
  readonly types: readonly string[];
}

/** Pattern of a fingerprint, as `ssh-keygen -l` prints it. */
export const FINGERPRINT_PATTERN = '^SHA256:[A-Za-z0-9+/]{43}$';

/** Returns the SHA-256 fingerprint of a public key in the form of OpenSSH. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Accepts the keys with these fingerprints. */
export function pinnedKeys(fingerprints: readonly string[]): HostKeys {
  return {
    types: [],
    refusal(key) {
      const fingerprint = fingerprintOf(key);
      if (fingerprints.includes(fingerprint)) return undefined;
      return `the host key of the server is ${fingerprint}, which 'hostKeys' does not contain`;
    },
  };
}

interface KnownHost {
  readonly isRevoked: boolean;
  readonly type: string;
  readonly key: Buffer;
}

/** Accepts the keys that a file of OpenSSH (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT) has for a host and port. Host certificates are not supported. */
export function knownHostKeys(text: string, host: string, port: number): HostKeys {
  const names = port === 22 ? [host, `[${host}]:22`] : [`[${host}]:${port}`];
  const entries = text.split('\n').flatMap((line) =>
    entryOf(
      line,
      names.map((name) => name.toLowerCase()),
    ),
  );
  const trusted = entries.filter(({ isRevoked }) => !isRevoked);
  return {
    types: [...new Set(trusted.map(({ type }) => type))],
    refusal(key) {
      const found = entries.filter((entry) => isEqual(entry.key, key));
      if (found.some(({ isRevoked }) => isRevoked))
        return `the host key ${fingerprintOf(key)} is revoked in 'knownHosts'`;
      if (found.length > 0) return undefined;
      const reason = trusted.length > 0 ? 'has other keys for this host' : 'has no key for this host';
      return `the host key of the server is ${fingerprintOf(key)}; 'knownHosts' ${reason}`;
    },
  };
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function entryOf(line: string, names: readonly string[]): readonly KnownHost[] {
  const words = line.trim().split(/\s+/);
  const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
  const [patterns = '', type = '', base64 = ''] = words;
  if (patterns.startsWith('#') || base64 === '' || marker === '@cert-authority') return [];
  if (!isForHost(patterns, names)) return [];
  return [{ isRevoked: marker === '@revoked', type, key: Buffer.from(base64, 'base64') }];
}

function isForHost(patterns: string, names: readonly string[]): boolean {
  if (patterns.startsWith('|1|')) return names.some((name) => isHashOf(patterns, name));
  let isMatch = false;
  for (const pattern of patterns.toLowerCase().split(',')) {
    const isNegated = pattern.startsWith('!');
    const glob = isNegated ? pattern.slice(1) : pattern;
    if (!names.some((name) => matches(glob, name))) continue;
    if (isNegated) return false;
    isMatch = true;
  }
  return isMatch;
}

function isHashOf(hashed: string, name: string): boolean {
  const [, , salt = '', hash = ''] = hashed.split('|');
  const mac = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return isEqual(mac, Buffer.from(hash, 'base64'));
}

/** Matches a name with a pattern of `*` and `?`, in time proportional to the product of their lengths. */
function matches(glob: string, name: string): boolean {
  let [at, star, mark] = [0, -1, 0];
  let nameAt = 0;
  while (nameAt < name.length) {
    const wanted = glob[at];
    if (wanted === '*') [star, mark] = [at++, nameAt];
    else if (wanted === '?' || wanted === name[nameAt]) [at, nameAt] = [at + 1, nameAt + 1];
    else if (star >= 0) [at, nameAt] = [star + 1, ++mark];
    else return false;
  }
  return /^\**$/.test(glob.slice(at));
}
