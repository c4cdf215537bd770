// Prints the bill of materials of the product (CycloneDX 1.6, JSON) from the lock file: every package that it is made of, those
// that are built into its pages included, and none that only builds or tests it. `npm sbom --omit dev` leaves out what both
// sides use, and knows nothing of the pages, so it is not used here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { name, version, license, description } = read('package.json');

const { packages } = read('package-lock.json');
const built = builtIn();

const components = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && (built.has(path) || (!dev && !devOptional)))
  .map(([path, locked]) => component(locked.name ?? path.replace(/^.*node_modules\//, ''), locked));

/** Places in the lock file of all packages that the pages are made with, and of those that these need. */
function builtIn() {
  const folder = fileURLToPath(new URL('../console/src', import.meta.url));
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  const imported = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    ),
  );
  // The task pages are made with preact in the place of react; its name stands in the build alone.
  const places = new Set();
  for (const name of new Set([...imported, 'preact'])) add(`node_modules/${name}`);
  return places;

  function add(place) {
    if (places.has(place) || !packages[place]) return;
    places.add(place);
    for (const name of Object.keys(packages[place].dependencies ?? {})) add(placeOf(name, place));
  }
}

/** Where Node.js finds a package that another one asks for. */
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
  // A package may stand at several places of the tree.
  components: [...new Map(components.map((one) => [one.purl, one])).values()],
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
