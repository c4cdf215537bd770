// Prints the bill of materials of the product (CycloneDX 1.6, JSON) from the lock file: every package of the product,
// including those built into its pages, without packages that only build or test it. `npm sbom --omit dev` omits packages that
// are both, and does not include the pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { name, version, license, description } = read('package.json');

const { packages } = read('package-lock.json');
const built = builtIn();

const components = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .filter(([path, { dev, devOptional }]) => built.has(path) || (!dev && !devOptional))
  .map(([path, locked]) => component(locked.name ?? path.replace(/^.*node_modules\//, ''), locked));

/** Returns the lock file paths of the packages that the pages import, and of their dependencies. */
function builtIn() {
  const folder = fileURLToPath(new URL('../console/src', import.meta.url));
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  const imported = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    ),
  );
  // The build of the task pages replaces react with preact; no source imports preact.
  const places = new Set();
  for (const name of new Set([...imported, 'preact'])) add(`node_modules/${name}`);
  return places;

  function add(place) {
    if (places.has(place) || !packages[place]) return;
    places.add(place);
    for (const name of Object.keys(packages[place].dependencies ?? {})) add(placeOf(name, place));
  }
}

/** Returns the lock file path at which Node.js finds the dependency `name` of the package at `from`. */
function placeOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[place] || at === '') return place;
  }
}

function component(packageName, { version, license, integrity, optional }) {
  const purl = `pkg:npm/${packageName.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name: packageName,
    version,
    purl,
    scope: optional ? 'optional' : 'required',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    ...(typeof license === 'string' && {
      licenses: [/ OR | AND /.test(license) ? { expression: license } : { license: { id: license } }],
    }),
  };
}

const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': `pkg:npm/${name}@${version}`,
      name,
      version,
      description,
      licenses: [{ license: { id: license } }],
    },
  },
  // A package may occur several times in the tree.
  components: [...new Map(components.map((one) => [one.purl, one])).values()],
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
