/**
 * Names of the environment variables that a call worker receives: what the operating system, Node.js and its
 * TLS need. Configuration and secrets come from the main process, with all references resolved.
 */
const WORKER_VARIABLES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_COMPILE_CACHE',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'UV_THREADPOOL_SIZE',
]);

/** Prefixes of further variables: the locale, and the memory allocator of the C library. */
const WORKER_PREFIXES = ['LC_', 'MALLOC_'];

/**
 * Returns the environment of a call worker. Every other variable stays in the main process, because it may be
 * a secret: the token of Vault, the URL of a database, or a value that the configuration names as `${NAME}`.
 */
export function workerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isAllowed = (name: string): boolean =>
    WORKER_VARIABLES.has(name) || WORKER_PREFIXES.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name)));
}
