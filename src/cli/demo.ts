import { type Command, type CommandIo, parseOptions } from './lib/command.js';

/** The bundled demo, in a separate file because no other command needs it. */
const DEMO = new URL('../../bin/demo.js', import.meta.url);

interface DemoModule {
  readonly runDemo: (
    options: { readonly once: boolean; readonly listen: string },
    io: CommandIo,
  ) => Promise<number>;
}

/** Shows gatehouse at work, with an orchestrator and a Vault on this machine. */
export const demo: Command = {
  name: 'demo',
  help: `Usage: gatehouse demo [--once] [--listen ADDRESS]

Starts a RESTCONF orchestrator, a Vault and gatehouse on this machine, sends a tour of calls
through them, and prints the address of the console and how to sign in. Everything is in a
temporary folder and is removed at the end.

Options:
  --once            end after the tour
  --listen ADDRESS  address of gatehouse (default: a free port of 127.0.0.1)

Exit codes: 0 every answer was right, 1 an answer was wrong.`,
  async run(args, io) {
    const { once, listen } = parseOptions(args, {
      once: { type: 'boolean', default: false },
      listen: { type: 'string', default: '127.0.0.1:0' },
    });
    const { runDemo } = (await import(DEMO.href)) as DemoModule;
    return runDemo({ once, listen }, io);
  },
};
