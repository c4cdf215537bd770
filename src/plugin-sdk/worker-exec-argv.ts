/**
 * Returns the value of the option `execArgv` of a worker thread in which the imports of a plugin work as in the plugin
 * itself.
 *
 * @example
 * new Worker(new URL('./thread.js', import.meta.url), { execArgv: workerExecArgv() });
 */
export function workerExecArgv(): string[] {
  return ['--import', new URL('./register-host-modules.js', import.meta.url).href];
}
