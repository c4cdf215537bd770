/** Returns true if the host of a URL or of a listen address can only be this machine; IPv6 is in brackets. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
