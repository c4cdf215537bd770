import type { ResolveHook } from 'node:module';

/** Modules without bounds, by the end of the URL of the module that each replaces. */
const REPLACEMENTS: readonly (readonly [end: string, file: string])[] = [
  ['/plugins/netconf/reader-threads.js', './reader-threads.js'],
  ['/src/core/reply-memory.js', './reply-memory.js'],
];

const OWN = new URL('.', import.meta.url).href;

/** Resolves a module with a bound to the one without; that one may import the original. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  if (context.parentURL?.startsWith(OWN) === true) return found;
  const [, file] = REPLACEMENTS.find(([end]) => found.url.endsWith(end)) ?? [];
  return file === undefined ? found : { ...found, url: new URL(file, OWN).href };
};
