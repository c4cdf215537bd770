import { readPages } from './markdown.js';
import { countWords } from './prose.js';
import { COUNTED, isIn, withoutTables, wordsOf } from './site-pages.js';

// Prints the words of each page and section of the documentation without code and tables: `npm run docs:words`.

const pages = readPages();
const print = (count: number, name: string): void => {
  process.stdout.write(`${String(count).padStart(6)}  ${name}\n`);
};
for (const section of COUNTED)
  for (const { path, prose } of pages.filter((page) => isIn(section, page.path)))
    print(countWords(withoutTables(prose)), path);
for (const section of COUNTED) print(wordsOf(section, pages), `docs/${section}/`);
print(
  COUNTED.reduce((sum, section) => sum + wordsOf(section, pages), 0),
  'all, without the reference, code and tables',
);
