import { createHash } from 'node:crypto';
import { dirname, relative } from 'node:path';
import { canonicalJson } from '../../json/canonical-json.js';
import { valueAt, withValues } from '../../json/pointer.js';
import type { ResolvedAdapterConfig } from './resolve.js';

/** Settings that decide neither where a call goes nor what is sent. A new setting counts until it is listed here. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set([
  ...['timeouts', 'retry', 'queue', 'breaker', 'health', 'cache', 'balance', 'reuseConnections'],
  ...['replyBytes', 'isolateBodies', 'redactReplies', 'replyHeaders', 'secretRotation', 'record'],
  // Access rules decide at each step of an approval, and methods have digests of their own.
  ...['access', 'openapi', 'brokers', 'groups', 'tags', 'log', 'enabled'],
]);

/**
 * Returns the digest of the target of an adapter: its settings with the defaults, without {@link OTHER_SETTINGS} and without the
 * values of secrets, and the code of its plugin. A base URL or an option from a store of secrets counts with its value.
 */
export function targetDigest({
  plugin,
  codeDigest,
  written,
  references,
  resolved,
}: ResolvedAdapterConfig): string {
  // A rotation can change the name of an account as well.
  const accounts = references
    .filter(({ pointer }) => pointer.startsWith('/auth/'))
    .map(({ pointer }) => [pointer, valueAt(written.value, pointer)] as const);
  // Nodes may have their files in different folders.
  const folder = dirname(written.document.file);
  const files = [...resolved.files].map(([pointer, file]) => [pointer, relative(folder, file)] as const);
  const value = withValues(resolved.value, new Map([...accounts, ...files]));
  const settings = Object.entries(value as object).filter(([name]) => !OTHER_SETTINGS.has(name));
  // JSON has the mask in place of each secret.
  const plain: unknown = JSON.parse(
    JSON.stringify([plugin.type, codeDigest ?? null, Object.fromEntries(settings)]),
  );
  return createHash('sha256').update(canonicalJson(plain)).digest('base64url');
}
