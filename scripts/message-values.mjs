// Writes the types of the values that each message of the pages needs, from the English message files, to
// dist/generated/console/src/text/message-values.d.ts. There, `rootDirs` of tsconfig.json finds them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const FILE = 'dist/generated/console/src/text/message-values.d.ts';

/** Writes the types unless they are current, or the packages of the pages are not installed. */
export async function writeMessageValues(root) {
  if (!existsSync(join(root, 'node_modules/@formatjs/icu-messageformat-parser'))) return;
  const { parse, TYPE } = await import('@formatjs/icu-messageformat-parser');
  const areas = readdirSync(join(root, 'console'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)messages\/en\/[^/]+\.json$/.test(path))
    .map((path) => {
      const messages = JSON.parse(readFileSync(join(root, 'console', path), 'utf8'));
      const keys = Object.entries(messages).map(([key, text]) => `    '${key}': ${typesOf(parse(text))};\n`);
      return `  '${basename(path, '.json')}': {\n${keys.join('')}  };\n`;
    });
  const text = `import type { Tag, Value } from './value.js';\n\nexport interface MessageValues {\n${areas.join('')}}\n`;
  const file = join(root, FILE);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);

  function typesOf(elements) {
    const types = new Map();
    // A placeholder that a message has twice has the narrower of its types.
    for (const [name, type] of placeholdersOf(elements))
      if (type !== 'Value' || !types.has(name)) types.set(name, type);
    if (types.size === 0) return 'object';
    return `{ ${[...types].map(([name, type]) => `'${name}': ${type}`).join('; ')} }`;
  }

  /** Returns the names of the placeholders and tags of a message with the types of their values. */
  function placeholdersOf(elements) {
    return elements.flatMap(({ type, value, children, options }) => {
      if (type === TYPE.literal || type === TYPE.pound) return [];
      if (type === TYPE.tag) return [[value, 'Tag'], ...placeholdersOf(children)];
      if (type === TYPE.number) return [[value, 'number']];
      if (type !== TYPE.plural && type !== TYPE.select) return [[value, 'Value']];
      const inner = Object.values(options).flatMap((option) => placeholdersOf(option.value));
      return [[value, type === TYPE.plural ? 'number' : 'string'], ...inner];
    });
  }
}
