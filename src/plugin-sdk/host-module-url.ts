/** Modules that plugins may import, by their path in the package. They equal the `exports` of package.json. */
const HOST_MODULES = {
  plugin: './index.js',
  'plugin/contract': './contract.js',
  yang: '../yang/index.js',
} as const;

type HostModule = keyof typeof HOST_MODULES;

/** Matches the name of the package, and the former name that plugins still import. */
const SPECIFIER = /^gatehouse(?:-proxy)?\/(.+)$/;

/** The package for authors, whose modules are those of `/plugin`. */
const KIT = /^gatehouse-plugin-kit(?=\/|$)/;

/** Returns the URL of a module of this gatehouse. */
export function urlOfHostModule(path: HostModule): string {
  return new URL(HOST_MODULES[path], import.meta.url).href;
}

/** Returns the URL of the module of this gatehouse that a specifier names; undefined for any other specifier. */
export function hostModuleUrl(specifier: string): string | undefined {
  const [, path = ''] = SPECIFIER.exec(specifier.replace(KIT, 'gatehouse/plugin')) ?? [];
  return Object.hasOwn(HOST_MODULES, path) ? urlOfHostModule(path as HostModule) : undefined;
}
