/** Returns the page of an adapter: its path below /ui. */
export function pathOfAdapter(name: string): string {
  return `/adapters/${encodeURIComponent(name)}`;
}
