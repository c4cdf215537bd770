import { inheritGeneration } from '../lib/module-generation.js';
import { hostModuleUrl } from './host-module-url.js';

interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

/** Resolves the imports of plugins to the modules of this gatehouse. Node.js before 22.15 calls this hook in a thread of its own. */
export async function resolve(
  specifier: string,
  context: { readonly parentURL?: string },
  next: (specifier: string, context: unknown) => Promise<Resolved>,
): Promise<Resolved> {
  const url = hostModuleUrl(specifier);
  if (url !== undefined) return { url, shortCircuit: true };
  const found = await next(specifier, context);
  return { ...found, url: inheritGeneration(found.url, context.parentURL) };
}
