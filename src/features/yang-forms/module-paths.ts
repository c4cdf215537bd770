/** Paths on a RESTCONF server that describe and provide its modules. */
export interface ModulePaths {
  /** Resources that list modules, in the order of preference: RFC 8525, RFC 7895, RFC 6022. */
  readonly lists: readonly string[];
  /** Operation that returns the text of a module (RFC 6022 section 3.1). */
  readonly getSchema: string;
}

/** Data resource of the orchestrator itself, as callers write it. */
const OWN_DATA = '/restconf/data';

const LISTS = [
  'ietf-yang-library:yang-library',
  'ietf-yang-library:modules-state',
  'ietf-netconf-monitoring:netconf-state/schemas',
];

/**
 * Returns the paths below a data resource: of the orchestrator itself, or of a device behind a mount point of OpenDaylight,
 * `.../yang-ext:mount`. Anything after the last mount point is left out.
 */
export function modulePaths(mount: string = OWN_DATA): ModulePaths {
  const data = mount.replace(/^(.*\/yang-ext(?::|%3A)mount)(?:\/.*)?$/i, '$1').replace(/\/+$/, '');
  const operations = data.replace(/\/data(?=\/|$)/, '/operations');
  return {
    lists: LISTS.map((list) => `${data}/${list}`),
    getSchema: `${operations}/ietf-netconf-monitoring:get-schema`,
  };
}

/**
 * Returns the path of a URL on an adapter: the path below the first base URL that contains the URL. A URL of another host,
 * scheme or port is taken for the same path on the adapter, because a server does not know under which address it is
 * reached. Returns undefined for anything but an HTTP URL or an absolute path.
 */
export function pathOnAdapter(url: string, baseUrls: readonly string[]): string | undefined {
  if (!/^(?:https?:\/\/|\/(?!\/))/i.test(url)) return undefined;
  const [first] = baseUrls;
  const base = baseUrls.find((one) => URL.canParse(url, one) && new URL(url, one).href.startsWith(`${one}/`));
  const origin = base ?? first;
  if (origin === undefined || !URL.canParse(url, origin)) return undefined;
  const { pathname, search } = new URL(url, origin);
  const prefix = new URL(origin).pathname.replace(/\/$/, '');
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  // Two leading slashes would start a host name.
  return path.startsWith('//') ? undefined : path + search;
}
