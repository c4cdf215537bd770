import { COMMANDS } from '../../../src/cli/commands.js';
import { EXIT } from '../../../src/cli/lib/command.js';
import type { ReferencePage } from './page.js';
import { blocks, code, prose, sample, table } from './write-markdown.js';

/** The compiler checks that every exit code has a meaning. */
const EXIT_CODES: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Success. `serve` ends with it after SIGTERM, SIGINT or SIGQUIT.',
  failed:
    'Any other failure, for example a port in use or a full disk. Some commands use it for a difference or a violation; see their texts.',
  usage: 'Invalid command line.',
  stuck: 'Code that does not return, such as an endless loop of a plugin, was ended by the watchdog.',
  unavailable: 'Vault cannot be reached, is sealed or rejects requests for a while. Try again later.',
  denied: 'Vault denied a login or the access to a secret, or you are not signed in.',
  config: 'The configuration has an error, or a secret does not exist.',
};

export const cli: ReferencePage = {
  file: 'cli.md',
  title: 'Command line',
  about: 'Every command of `gatehouse` with its options, and the exit codes.',
  body: async () => blocks(overview(), exitCodes(), ...(await Promise.all(COMMANDS.map(sectionOf)))),
};

function overview(): string {
  const rows = COMMANDS.map(({ name, summary }) => [
    `[${code(name)}](#gatehouse-${name})`,
    `${prose(summary)}.`,
  ]);
  return blocks('In a checkout, the program is `npx gatehouse`.', table(['Command', 'Purpose'], rows));
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_CODES).map(([name, meaning]) => [
    `${EXIT[name as keyof typeof EXIT]}`,
    meaning,
  ]);
  return blocks('## Exit codes', table(['Code', 'Meaning'], rows));
}

async function sectionOf(command: (typeof COMMANDS)[number]): Promise<string> {
  const { help, commands = [] } = await command.load();
  const below = commands.map((one) => blocks(`### gatehouse ${one.name}`, sample(one.help)));
  return blocks(`## gatehouse ${command.name}`, sample(help), ...below);
}
