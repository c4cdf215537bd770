import assert from 'node:assert/strict';
import { runCommand } from '../../support/command-io.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const FOLDER = temporaryFolder().path;

describe('a command line tells how to correct', () => {
  for (const [mistake, args, code, says] of [
    [
      'C01 a misspelt option',
      ['serve', '--confg', 'x'],
      64,
      'gatehouse serve: there is no option "--confg"; did you mean "--config"?\nSee gatehouse serve --help.\n',
    ],
    [
      'C02 an option without its value',
      ['serve', '--config'],
      64,
      "gatehouse serve: Option '--config <value>' argument missing\nSee gatehouse serve --help.\n",
    ],
    [
      'C03 a misspelt command',
      ['chek'],
      64,
      'gatehouse: there is no command "chek"\n\nDid you mean "gatehouse check"?\n',
    ],
    [
      'C04 a token without a role',
      ['token', '--subject', 'x'],
      64,
      'gatehouse token: name at least one role, for example --role admin\nSee gatehouse token --help.\n',
    ],
    [
      'C07 a missing YANG module',
      ['yang', 'nofile.yang'],
      1,
      'gatehouse yang: nofile.yang does not exist; correct the path, which is relative to the working directory\n',
    ],
    [
      'C07 a folder in place of a YANG module',
      ['yang', FOLDER],
      64,
      `gatehouse yang: ${FOLDER} is a folder; name its files, for example ${FOLDER}/*.yang\nSee gatehouse yang --help.\n`,
    ],
    [
      'C08 a stray word',
      ['check', 'stray'],
      64,
      "gatehouse check: Unexpected argument 'stray'. This command does not take positional arguments\nSee gatehouse check --help.\n",
    ],
    [
      'C09 the first word of a command',
      ['secrets'],
      64,
      'gatehouse secrets: name a command: check or migrate\nSee gatehouse secrets --help.\n',
    ],
    [
      'C11 an invalid type of a plugin',
      ['plugin', 'new', 'Acme_NMS'],
      64,
      'gatehouse plugin new: name the type: lower-case letters and digits, words joined by hyphens, for example acme-nms\nSee gatehouse plugin new --help.\n',
    ],
  ] as const)
    // prettier-ignore
    it(mistake, async () => {
      const result = await runCommand(args);
      assert.deepEqual([result.code, result.out, result.err], [code, '', says]);
    });

  it('C10 a folder without a configuration', async () => {
    const { code, out } = await runCommand(['check', '--config', '/nowhere/gatehouse.yaml']);
    assert.deepEqual(
      [code, out],
      [
        78,
        '/nowhere/gatehouse.yaml: does not exist [file]\n    Run "gatehouse init" to write a first configuration, or name another file with --config or GATEHOUSE_CONFIG.\n',
      ],
    );
  });
});
