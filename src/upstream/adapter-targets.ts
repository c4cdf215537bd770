import { isJsonObject } from '../json/json-object.js';
import { pointerTo } from '../json/pointer.js';

/** A setting that decides where an adapter connects, or what it trusts there. */
interface AdapterTarget {
  readonly pointer: string;
  /** Pointer without the index in a list. All base URLs have the same. */
  readonly setting: string;
  /** Origin of a URL, otherwise the value. */
  readonly value: string;
  /** URL whose host is the target; absent for a part of a target. */
  readonly url?: string;
}

/** Names of options of plugins that hold a part of a target. */
const TARGET_OPTION =
  /host|addr|server|domain|endpoint|proxy|protocol|scheme|fqdn|ur[il]|(?:^|_)(?:ip|port)$|base_?path/i;

/** Names of options that hold a host. */
const HOST_OPTION = /^(?:.*_)?(?:host|hostname|address|addr|server|fqdn|ip|endpoint)s?$/i;

/** Returns the targets in the value of an adapter: all URLs, and the options of its plugin that name a host. */
export function adapterTargets(value: unknown): readonly AdapterTarget[] {
  return leavesOf(value, '').flatMap(({ pointer, name, leaf }) => {
    const target = { pointer, setting: settingOf(pointer) };
    const text = String(leaf);
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text))
      return [{ ...target, value: originOf(new URL(text)), url: text }];
    if (pointer === '/tls/insecure' && leaf === true) return [{ ...target, value: text }];
    if (!pointer.startsWith('/options/') || !TARGET_OPTION.test(name)) return [];
    const isHost = typeof leaf === 'string' && HOST_OPTION.test(name);
    return [{ ...target, value: text, ...(isHost && { url: `https://${text}` }) }];
  });
}

/**
 * Returns where an adapter connects, each target once: the proxy, the URLs of tokens and the hosts of options first, and then the
 * base URLs, which may be many.
 */
export function targetHosts(value: unknown): readonly string[] {
  const hosts = adapterTargets(value).filter(({ url }) => url !== undefined);
  const isBase = ({ setting }: AdapterTarget): boolean => setting === '/baseUrls';
  const ordered = [...hosts.filter((target) => !isBase(target)), ...hosts.filter(isBase)];
  return [...new Set(ordered.map(({ value: host }) => host))];
}

/** Returns the targets of an adapter that its previous value did not have. */
export function newTargets(value: unknown, previous: unknown): readonly AdapterTarget[] {
  const known = new Set(adapterTargets(previous).map(keyOf));
  return adapterTargets(value).filter((target) => !known.has(keyOf(target)));
}

function keyOf({ setting, value }: AdapterTarget): string {
  return `${setting} ${value}`;
}

function settingOf(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '').replace(/^\/baseUrls?$/, '/baseUrls');
}

function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

interface Leaf {
  readonly pointer: string;
  readonly name: string;
  readonly leaf: unknown;
}

function leavesOf(value: unknown, pointer: string, name = ''): readonly Leaf[] {
  if (Array.isArray(value))
    return value.flatMap((item, at) => leavesOf(item, pointerTo(pointer, String(at)), name));
  if (!isJsonObject(value)) return [{ pointer, name, leaf: value }];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, pointerTo(pointer, key), key));
}
