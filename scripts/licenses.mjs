// The licenses of the packages whose modules are bundled.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the licenses of the packages of these modules as Markdown, sorted by folder. */
export function licensesOf(moduleIds) {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenseOf).join('\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), 'utf8') : `${license?.type ?? license}\n`;
  return `## ${name} ${version}\n\n${text.replace(/^(?=.)/gm, '    ')}`;
}
