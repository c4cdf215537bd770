/**
 * Ignores SIGUSR1 in this process. By default, Node.js opens its inspector on this signal: a port through
 * which every local user can read the memory of the process, with all secrets. A listener replaces this
 * default on all supported releases. The option `--disable-sigusr1` exists only from Node.js 22.14 on.
 */
export function ignoreInspectorSignal(): void {
  process.on('SIGUSR1', () => undefined);
}
