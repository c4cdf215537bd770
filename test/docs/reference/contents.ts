import { readdirSync } from 'node:fs';
import { readPage } from '../markdown.js';
import { FOLDER, type ReferencePage } from './page.js';
import { blocks, table } from './write-markdown.js';

/** Returns the page that lists the pages of the reference, first the generated ones, then those written by hand. */
export function contentsOf(pages: readonly ReferencePage[]): ReferencePage {
  return {
    file: 'README.md',
    title: 'Reference',
    about:
      'Facts to look up. Most pages are generated from the code and the schemas, so they match the version.',
    body: () => {
      const generated = pages.map(({ file, title, about }) => [`[${title}](${file})`, about]);
      const api = ['[openapi.json](../openapi.json)', 'The OpenAPI 3.1 description of the API.'];
      return blocks(table(['Page', 'Contents'], [...generated, api, ...manualRows(pages)]));
    },
  };
}

/** Returns the title and the first paragraph of each page that is not generated. */
function manualRows(pages: readonly ReferencePage[]): readonly (readonly string[])[] {
  const known = new Set(['README.md', ...pages.map(({ file }) => file)]);
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !known.has(name));
  return names.sort().map((name) => {
    const { prose } = readPage(`docs/reference/${name}`);
    const [, title = name, about = ''] = /^# (.+)\n\n((?:.+\n)+)/m.exec(prose) ?? [];
    return [`[${title}](${name})`, about.trim()];
  });
}
