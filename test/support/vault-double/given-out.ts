import type { DoubleReply } from './replies.js';
import type { Json } from './state.js';

/**
 * Returns every secret text of a reply: tokens, secret ids, and the secrets that an engine stores or leases.
 */
export function secretsIn(path: string, { body }: DoubleReply): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { auth, wrap_info: wrapping, data } = body as Readonly<Record<string, Json | null | undefined>>;
  return [
    ...textsIn(auth?.['client_token']),
    ...textsIn(wrapping?.['token']),
    ...(/^(sys|auth)\//.test(path)
      ? textsIn([data?.['secret_id'], data?.['id']])
      : engineSecrets(data ?? {})),
  ];
}

function engineSecrets(data: Json): readonly string[] {
  // Skips data that is not secret: the version metadata of KV version 2, the names in a folder, and the username
  // of a database account.
  if (Array.isArray(data['keys']) && Object.keys(data).length === 1) return [];
  if ('subkeys' in data || 'versions' in data || 'created_time' in data) return [];
  if ('metadata' in data) return textsIn(data['data']);
  return textsIn({ ...data, username: undefined, last_vault_rotation: undefined });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
