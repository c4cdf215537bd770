/**
 * The path below the first base URL that a URL lies under; undefined when it lies under none. A path that starts with
 * `/` is one on the host of a base URL. Parts of dots are resolved before they are compared.
 */
export function pathBelow(url: string, baseUrls: readonly string[]): string | undefined {
  if (!/^(?:https?:\/\/|\/(?!\/))/i.test(url)) return undefined;
  for (const base of baseUrls) {
    if (!URL.canParse(url, base)) continue;
    const target = new URL(url, base);
    target.hash = '';
    const path = target.href.startsWith(`${base}/`) ? target.href.slice(base.length) : undefined;
    // Two slashes in front begin the name of a host.
    if (path !== undefined && !path.startsWith('//')) return path;
  }
  return undefined;
}
