import { readFileSync } from 'node:fs';
import { compileYang, directoryLibrary } from '../../src/yang/index.js';

// Process of our contender: reads file names on standard input, one per line; the argument is the folder of
// their imports.
const library = directoryLibrary([process.argv[2] ?? '.']);
let compiled = 0;
let characters = 0;
for (const file of readFileSync(0, 'utf8').split('\n')) {
  const made = compileYang([{ file, text: readFileSync(file, 'utf8') }], { library, content: 'all' });
  if (!('modules' in made)) continue;
  compiled += 1;
  characters += JSON.stringify(made.modules).length;
}
process.stdout.write(`compiled ${compiled}, ${characters} characters of JSON\n`);
