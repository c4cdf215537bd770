import { openStore } from '../../src/features/open-store.js';

// Opens the store at the URL in the first argument, closes it, and prints `opened` or the message of the error.
const [, , url = ''] = process.argv;
try {
  await (await openStore(url)).close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write((error as Error).message);
}
