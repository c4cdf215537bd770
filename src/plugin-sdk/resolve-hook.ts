import { hostModuleUrl } from './host-module-url.js';

interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

/** Resolves the imports of plugins to the modules of this gatehouse. Node.js before 22.15 calls this hook in a thread of its own. */
export function resolve(
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Promise<Resolved>,
): Resolved | Promise<Resolved> {
  const url = hostModuleUrl(specifier);
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}
