import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the installed package. */
export const PRODUCT_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  dependencies: Readonly<Record<string, string>>;
};

/** Version of this build, from package.json. */
export const VERSION = manifest.version;

/** Commit of this build, abbreviated. Empty if the build did not know it. */
export const COMMIT = readCommit();

/** Version with the commit as build metadata (SemVer), for example `1.0.0+21f75e4b`. */
export const FULL_VERSION = COMMIT === '' ? VERSION : `${VERSION}+${COMMIT}`;

/** Versions of the direct dependencies of this build, by package name. */
export const DEPENDENCIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.dependencies).map(([name, wanted]) => [name, wanted.replace(/^npm:.*@/, '')]),
);

function readCommit(): string {
  try {
    const text = readFileSync(new URL('../../build.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { readonly commit: string }).commit;
  } catch {
    // The sources were compiled without scripts/ready.mjs.
    return '';
  }
}
