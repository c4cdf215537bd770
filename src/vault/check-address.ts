import type { VaultSettings } from '../core/settings.js';
import type { VaultFailure } from './vault-error.js';

interface LocatedFailure extends VaultFailure {
  readonly pointer: string;
}

/** Addresses that are no origins, and those that would send the token in the clear; pointers count from the vault block. */
export function addressFaults({ address, allowInsecure }: VaultSettings): readonly LocatedFailure[] {
  return address.flatMap((one, at) => {
    // A single address may have been written without a list.
    const pointer = address.length === 1 ? '/address' : `/address/${at}`;
    const url = originOf(one, /^https?:$/);
    if (!url) return [notAnOrigin(pointer, 'https://vault.example.net:8200')];
    return url.protocol === 'https:' || allowInsecure || isLoopback(url.hostname)
      ? []
      : [inTheClear(pointer)];
  });
}

/** A proxy that is none, or that would read what is on its way to an http address. */
export function proxyFaults({ proxy, address, allowInsecure }: VaultSettings): readonly LocatedFailure[] {
  if (proxy === null) return [];
  const url = originOf(proxy, /^http:$/);
  if (!url) return [notAnOrigin('/proxy', 'http://proxy.example.net:3128')];
  const plain = address.some((one) => originOf(one, /^http:$/));
  return plain && !allowInsecure && !isLoopback(url.hostname) ? [inTheClear('/proxy')] : [];
}

function originOf(text: string, scheme: RegExp): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && scheme.test(url.protocol) && url.href === `${url.origin}/` ? url : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function notAnOrigin(pointer: string, example: string): LocatedFailure {
  const fix = `Write scheme, host and port only, for example "${example}".`;
  return { pointer, code: 'VAULT_ADDRESS', message: 'The address is not an origin', fix };
}

function inTheClear(pointer: string): LocatedFailure {
  return {
    pointer,
    code: 'VAULT_INSECURE',
    message: 'The address is http, so the token and every secret would cross the network in the clear',
    fix: 'Use https; "allowInsecure: true" permits http where the network itself is protected.',
  };
}
