// Checks that the checkout is the release of a tag: `npm run check:release -- --tag v1.2.3`, as the release workflow does before it
// publishes. Prints what is missing, and ends with exit code 1. With --notes it prints the section of the changelog instead.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm run check:release -- [--tag vX.Y.Z] [--notes]

Checks that the checkout is complete for a release: the version in every file that names it, the
section of the changelog, and evidence that was measured with this version.

Options:
  --tag vX.Y.Z   also compare the tag with the version of package.json
  --notes        print the section of the changelog, for the notes of the release
`;

const { values: options } = parseArgs({
  options: {
    tag: { type: 'string' },
    notes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json'));

if (options.help) process.stdout.write(HELP);
else if (options.notes) process.stdout.write(`${sectionOf(version)?.text.trim() ?? ''}\n`);
else report([...versionFaults(), ...changelogFaults(), ...evidenceFaults()]);

/** Prints the faults; without faults, that there is none. */
function report(faults) {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length === 0) process.stdout.write(`${version} is complete\n`);
  else process.exitCode = 1;
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
