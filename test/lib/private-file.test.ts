import assert from 'node:assert/strict';
import { isPrivateMode } from '../../src/lib/private-file.js';

describe('isPrivateMode', () => {
  for (const [who, uid, processUser, privateModes, openModes] of [
    ['its own user', 1000, 1000, [0o600, 0o400, 0o700], [0o640, 0o604, 0o620, 0o602, 0o644]],
    ['root, which runs the process', 0, 0, [0o600], [0o640, 0o604]],
    ['root, for a process of another user', 0, 1000, [0o600, 0o640, 0o440], [0o660, 0o650, 0o604, 0o644]],
    ['another user', 1001, 1000, [0o600], [0o640, 0o644]],
  ] as const)
    it(`finding F17: decides about a file of ${who}`, () => {
      // The bits above the permissions are the type of the file.
      const isPrivate = (mode: number): boolean => isPrivateMode({ mode: 0o100000 + mode, uid }, processUser);
      for (const mode of privateModes) assert.equal(isPrivate(mode), true, mode.toString(8));
      for (const mode of openModes) assert.equal(isPrivate(mode), false, mode.toString(8));
    });
});
