import { type Command, type CommandEntry, EXIT, UsageError } from './lib/command.js';

/** Words that can follow `gatehouse`, by command. */
export interface CompletionWords {
  readonly commands: readonly string[];
  /** Second words and options of each command. */
  readonly after: ReadonlyMap<string, readonly string[]>;
}

export function createCompletion(entries: readonly CommandEntry[]): Command {
  return {
    name: 'completion',
    help: `Usage: gatehouse completion bash|zsh|fish

Prints a script that completes commands and options. For the present shell:

  bash: source <(gatehouse completion bash)
  zsh:  source <(gatehouse completion zsh)
  fish: gatehouse completion fish | source

Options:
  --help  print this text`,
    async run([shell = '', ...rest], io) {
      const script = SCRIPTS[shell];
      if (!script || rest.length > 0) throw new UsageError('name a shell: bash, zsh or fish');
      const commands = await Promise.all(entries.map((entry) => entry.load()));
      io.out(script(completionWords(commands)));
      return EXIT.ok;
    },
  };
}

function completionWords(commands: readonly Command[]): CompletionWords {
  return {
    commands: commands.map(({ name }) => name),
    after: new Map(
      commands.map(({ name, help, commands: inner = [] }) => {
        const texts = [help, ...inner.map((command) => command.help)];
        const options = texts.flatMap((text) => text.match(/--[a-z][a-z-]*/g) ?? []);
        const words = inner.map((command) => command.name.slice(name.length + 1));
        return [name, [...new Set([...words, ...options, '--help'])].sort()];
      }),
    ),
  };
}

const SCRIPTS: Readonly<Record<string, ((words: CompletionWords) => string) | undefined>> = {
  bash: bashScript,
  // The completion of bash works in zsh with its own emulation.
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: fishScript,
};

function bashScript({ commands, after }: CompletionWords): string {
  const cases = [...after].map(([name, words]) => `      ${name}) words="${words.join(' ')}" ;;`);
  return `_gatehouse() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.join(' ')} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _gatehouse gatehouse
`;
}

function fishScript({ commands, after }: CompletionWords): string {
  const first = `complete -c gatehouse -n __fish_use_subcommand -f -a "${commands.join(' ')}"\n`;
  const rest = [...after].map(
    ([name, words]) =>
      `complete -c gatehouse -n "__fish_seen_subcommand_from ${name}" -a "${words.join(' ')}"\n`,
  );
  return first + rest.join('');
}
