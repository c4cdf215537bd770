import { readPages } from '../markdown.js';
import { findingsIn } from './check.js';

// Checks the prose, links, paths and code marks of all pages: `npm run check:prose`.

const findings = (await Promise.all(readPages().map(({ path }) => findingsIn(path)))).flat();
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
