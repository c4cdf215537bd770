import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.js';

type OptionTypes = NonNullable<ParseArgsConfig['options']>;
interface CommandLine<T extends OptionTypes> {
  args: string[];
  options: T;
  strict: true;
}

/** Options of a command line by name; unknown options and stray words throw a UsageError. */
export function parseOptions<const T extends OptionTypes>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<CommandLine<T>>>['values'] {
  try {
    return parseArgs<CommandLine<T>>({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** As {@link parseOptions}, with the words that are no options. */
export function parsePositionals<const T extends OptionTypes>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<CommandLine<T> & { allowPositionals: true }>> {
  try {
    return parseArgs<CommandLine<T> & { allowPositionals: true }>({
      args: [...args],
      options,
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** `--config`, else `GATEHOUSE_CONFIG`, else the file of a fresh checkout. */
export function configPath(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? env['GATEHOUSE_CONFIG'] ?? 'config/gatehouse.yaml';
}

/** Help lines of the option that most commands have. */
export const CONFIG_OPTION_HELP =
  '  --config PATH   configuration file (default: $GATEHOUSE_CONFIG, else config/gatehouse.yaml)';
