import { createRequire } from 'node:module';
import { sep } from 'node:path';

// Node.js keeps an ES module by its URL until the process ends. The own modules of a plugin that is loaded again have another
// URL: a query, which the resolver of `src/plugin-sdk` passes on to what they import.

const QUERY = /\?generation=\d+$/;

/** Returns the URL of a module in a generation of its package: the plain URL for the first one. */
export function urlInGeneration(href: string, generation: number): string {
  return generation === 1 ? href : `${href}?generation=${generation}`;
}

/** Returns the URL of an imported module, in the generation of the module that imports it if both are of one package. */
export function inheritGeneration(url: string, parentUrl = ''): string {
  const [query] = QUERY.exec(parentUrl) ?? [];
  if (query === undefined || !url.startsWith('file:') || url.includes('?')) return url;
  return PACKAGE.exec(url)?.[0] === PACKAGE.exec(parentUrl)?.[0] ? url + query : url;
}

/** Matches the folder of a package in node_modules. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

/** Loads the CommonJS modules of a folder again, which Node.js keeps by their paths. Those of packages below it stay. */
export function reloadCommonJs(folder: string): void {
  const require = createRequire(import.meta.url);
  const own = Object.keys(require.cache).filter(
    (file) =>
      file.startsWith(folder + sep) &&
      !file.slice(folder.length).includes(`${sep}node_modules${sep}`) &&
      // A process loads an addon once.
      !file.endsWith('.node'),
  );
  for (const file of own) Reflect.deleteProperty(require.cache, file);
  // At once: the import of a removed module that re-exports another would find the other one without its exports.
  for (const file of own)
    try {
      require(file);
    } catch {
      // The import reports the error.
    }
}
