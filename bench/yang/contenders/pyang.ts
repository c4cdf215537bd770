import { versionOf } from '../../measure.js';
import type { Contender } from '../contender.js';

/** pyang, in Python: all modules in one context, each printed as a tree. */
export const pyang: Contender = {
  name: 'pyang',
  version: () => versionOf('pyang'),
  run: ({ folder, files }) => ({
    command: 'pyang',
    args: ['--ignore-errors', '-f', 'tree', '-p', folder, ...files],
  }),
  compiled: () => undefined,
};
