import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Seal } from '../core/audit-chain.js';
import { AUDIT_FIELDS } from '../core/audit.js';
import { canonicalJson } from '../core/canonical-json.js';

/** Functions of an installation's key. All use HMAC-SHA256, each with a separately derived key. */
export interface AuditKey {
  readonly seal: Seal;
  /** Returns the digest of a state; empty for `undefined`. */
  readonly digest: (state: unknown) => string;
  /** Starts a digest of bytes that arrive in pieces. */
  readonly compareKey: () => KeyComparison;
}

export interface KeyComparison {
  readonly add: (bytes: Uint8Array) => void;
  /** Returns the length and the digest of the added bytes. */
  readonly end: () => string;
}

/** Creates a key from 64 hexadecimal digits. */
export function auditKey(digits: string): AuditKey {
  const own = (purpose: string): KeyObject =>
    createSecretKey(
      createHmac('sha256', Buffer.from(digits, 'hex')).update(`gatehouse audit ${purpose}`).digest(),
    );
  const [links, states, bytes] = [own('link'), own('state'), own('bytes')];
  return {
    seal: (record) =>
      createHmac('sha256', links)
        .update(JSON.stringify([record.seq, record.prev, ...AUDIT_FIELDS.map((name) => record[name])]))
        .digest('hex'),
    digest: (state) =>
      state === undefined ? '' : createHmac('sha256', states).update(canonicalJson(state)).digest('hex'),
    compareKey: () => weighing(bytes),
  };
}

function weighing(key: KeyObject): KeyComparison {
  const hmac = createHmac('sha256', key);
  let length = 0;
  return {
    add(bytes) {
      hmac.update(bytes);
      length += bytes.byteLength;
    },
    end: () => `${length} bytes, ${hmac.digest('hex')}`,
  };
}
