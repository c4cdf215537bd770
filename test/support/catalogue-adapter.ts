import { fileURLToPath } from 'node:url';

/** Folder of an adapter as the public catalogue has them, on the real adapter-utils; talks to `inventory-double.ts`. */
export const CATALOGUE_ADAPTER = fileURLToPath(
  new URL('../../../test/support/catalogue-adapter', import.meta.url),
);
