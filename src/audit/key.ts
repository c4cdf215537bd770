import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Seal } from '../core/audit-chain.js';
import { AUDIT_FIELDS } from '../core/audit.js';
import { canonicalJson } from '../core/canonical-json.js';

/** What the key of an installation can do; all of it is HMAC-SHA256, each with a key derived for it alone. */
export interface AuditKey {
  readonly seal: Seal;
  /** Digest of a state, empty for `undefined`. */
  readonly digest: (state: unknown) => string;
  /** Begins a digest of bytes that come in pieces. */
  readonly compareKey: () => KeyComparison;
}

export interface KeyComparison {
  readonly add: (bytes: Uint8Array) => void;
  /** Length and digest of what was added. */
  readonly end: () => string;
}

/** The key behind 64 hexadecimal digits. */
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
