import type { ListenerTls } from '../../core/listener-tls.js';
import { Secret } from '../../core/secret.js';

/** Certificates of the listener, with the key in plain text. */
export type PackedListenerTls = Omit<ListenerTls, 'key'> & { readonly key: string };

/** Packs the certificates of the listener for a call worker. The channel between the processes is private to them. */
export function packListenerTls(tls: ListenerTls): PackedListenerTls {
  return { ...tls, key: tls.key.reveal() };
}

/** Unpacks the certificates of the listener in a call worker. */
export function unpackListenerTls(tls: PackedListenerTls): ListenerTls {
  return { ...tls, key: new Secret(tls.key) };
}
