import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  dependencies: Readonly<Record<string, string>>;
};

/** Version of this build, from package.json. */
export const VERSION = manifest.version;

/** Versions of the direct dependencies of this build, by package name. */
export const DEPENDENCIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.dependencies).map(([name, wanted]) => [name, wanted.replace(/^npm:.*@/, '')]),
);
