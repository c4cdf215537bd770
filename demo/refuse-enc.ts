import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../test/support/command-io.js';

const BROKEN_MAIN = `server: { listen: 127.0.0.1:3000 }
storage: { url: "sqlite:data/gatehouse.db" }
`;

const BROKEN_ADAPTER = `plugin: restconf
baseUrl: https://nso.example:8888
auth:
  type: basic
  username: admin
  password: $ENC96f2b1a7d0c34e5f8899aabbccddeeff
`;

/**
 * Runs `gatehouse check` on a configuration that still contains a `$ENC` value. Resolves to the faults of its
 * output.
 */
export async function refuseEnc(folder: string, print: (line: string) => void): Promise<readonly string[]> {
  const path = join(folder, 'old', 'gatehouse.yaml');
  mkdirSync(join(folder, 'old', 'adapters'), { recursive: true });
  writeFileSync(path, BROKEN_MAIN);
  writeFileSync(join(folder, 'old', 'adapters', 'nso1.yaml'), BROKEN_ADAPTER);
  print('\n# A configuration with an old $ENC value is refused, with its place, and without its value.');
  print(`> gatehouse check --config ${path}`);
  const { code, out, err } = await runCommand(['check', '--config', path]);
  const shown = out + err;
  print(`< exit code ${code}\n${shown.trimEnd()}`);
  return [
    ...(code === 78 ? [] : [`expected exit code 78, got ${code}`]),
    ...(shown.includes('nso1.yaml:6:13 /auth/password')
      ? []
      : ['expected the place nso1.yaml:6:13 /auth/password']),
    ...(shown.includes('96f2b1a7') ? ['the encrypted value was printed'] : []),
  ];
}
