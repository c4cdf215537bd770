// Checks that the checkout is the release of a tag: `npm run check:release -- --tag v1.2.3`, as the release workflow does before it
// publishes. Prints what is missing, and ends with exit code 1. With --notes it prints the section of the changelog instead.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm run check:release -- [--tag vX.Y.Z] [--notes] [--dockerfile FILE]

Checks that the checkout is complete for a release: the version in every file that names it, the
section of the changelog, evidence that was measured with this version, base images by digest, and no
advisory of high severity against a package that users install (npm audit, which asks the public
registry when everything else is right). Then writes the bill of materials gatehouse-X.Y.Z.cdx.json.

Options:
  --tag vX.Y.Z      also compare the tag with the version of package.json
  --notes           print the section of the changelog, for the notes of the release
  --dockerfile FILE file with the base images (default: deploy/docker/Dockerfile)
`;

const { values: options } = parseArgs({
  options: {
    tag: { type: 'string' },
    notes: { type: 'boolean', default: false },
    dockerfile: { type: 'string', default: 'deploy/docker/Dockerfile' },
    help: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json'));

if (options.help) process.stdout.write(HELP);
else if (options.notes) process.stdout.write(`${sectionOf(version)?.text.trim() ?? ''}\n`);
else check();

/** Prints the faults; without faults, writes the bill of materials. */
function check() {
  const faults = [...versionFaults(), ...changelogFaults(), ...evidenceFaults(), ...imageFaults()];
  // The registry is asked only when everything else is right.
  if (faults.length === 0) faults.push(...advisoryFaults());
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) {
    process.exitCode = 1;
    return;
  }
  const file = `gatehouse-${version}.cdx.json`;
  writeFileSync(file, execFileSync(process.execPath, [`${root}scripts/sbom.mjs`]));
  process.stdout.write(`${version} is complete; bill of materials: ${file}\n`);
}

/** Returns a fault for each base image without a digest: a tag can be moved to another image. */
function imageFaults() {
  return [...readFileSync(resolve(root, options.dockerfile), 'utf8').matchAll(/^ARG (\w+_IMAGE)=(\S+)/gm)]
    .filter(([, , image]) => !/@sha256:[0-9a-f]{64}$/.test(image))
    .map(
      ([, name, image]) =>
        `${options.dockerfile}: ${name} has no digest. Append @ and the output of: docker buildx imagetools inspect ${image} --format '{{.Manifest.Digest}}'`,
    );
}

function advisoryFaults() {
  const { status, stdout } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`npm audit: ${stdout.trim() || 'the registry does not answer.'}`];
}

/** Returns a fault for each file that names another version. */
function versionFaults() {
  const named = [
    ['package-lock.json', JSON.parse(read('package-lock.json')).version],
    [
      'deploy/helm/gatehouse/Chart.yaml (version)',
      /^version: (\S+)$/m.exec(read('deploy/helm/gatehouse/Chart.yaml'))?.[1],
    ],
    [
      'deploy/helm/gatehouse/Chart.yaml (appVersion)',
      /^appVersion: (\S+)$/m.exec(read('deploy/helm/gatehouse/Chart.yaml'))?.[1],
    ],
    ['deploy/docker/Dockerfile (label)', /image\.version=(\S+)/.exec(read('deploy/docker/Dockerfile'))?.[1]],
    ['docs/openapi.json', JSON.parse(read('docs/openapi.json')).info.version],
    ...(options.tag === undefined ? [] : [['the tag', options.tag.replace(/^v/, '')]]),
  ];
  return named
    .filter(([, found]) => found !== version)
    .map(([where, found]) => `${where} names ${found ?? 'no version'}, package.json ${version}`);
}

/** Returns the section of a version in the changelog: its date and its text. */
function sectionOf(wanted) {
  for (const section of read('CHANGELOG.md').split(/^## /m)) {
    const [, name, date] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?\n/.exec(section) ?? [];
    if (name === wanted) return { date, text: section.slice(section.indexOf('\n') + 1) };
  }
  return undefined;
}

function changelogFaults() {
  const section = sectionOf(version);
  if (!section) return [`CHANGELOG.md has no section [${version}]`];
  const unreleased = sectionOf('Unreleased')?.text.trim() ?? '';
  return [
    ...(section.date ? [] : [`CHANGELOG.md has no date for [${version}]`]),
    ...(unreleased === '' ? [] : [`CHANGELOG.md has entries below [Unreleased]: they are in no release`]),
  ];
}

/** Returns a fault for each group of evidence that was measured with another version. */
function evidenceFaults() {
  const folder = 'docs/evidence';
  return readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.json') && !name.endsWith('.sabotaged.json'))
    .map((name) => JSON.parse(read(`${folder}/${name}`)))
    .filter((record) => record.version !== version || record.holds === false)
    .map(({ group, version: measured, holds }) =>
      holds === false
        ? `the evidence group ${group} does not hold`
        : `the evidence group ${group} was measured with ${measured}: run "npm run evidence -- ${group}"`,
    );
}
