/** Modules that plugins may import, by their path in the package. They equal the `exports` of package.json. */
const HOST_MODULES: Readonly<Record<string, string>> = {
  plugin: './index.js',
  'plugin/contract': './contract.js',
  yang: '../yang/index.js',
};

/** Matches the name of the package, and the former name that plugins still import. */
const SPECIFIER = /^gatehouse(?:-proxy)?\/(.+)$/;

/** Returns the URL of the module of this gatehouse that a specifier names; undefined for any other specifier. */
export function hostModuleUrl(specifier: string): string | undefined {
  const [, path = ''] = SPECIFIER.exec(specifier) ?? [];
  const file = Object.hasOwn(HOST_MODULES, path) ? HOST_MODULES[path] : undefined;
  return file === undefined ? undefined : new URL(file, import.meta.url).href;
}
