import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.js';

type OptionTypes = NonNullable<ParseArgsConfig['options']>;
interface CommandLine<T extends OptionTypes> {
  args: string[];
  options: T;
  strict: true;
}

/** Parses options by name. Throws a UsageError for unknown options and stray words. */
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

/** Parses options and positional arguments, as {@link parseOptions} does. */
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

/**
 * Returns the path of the configuration: `--config`, else `GATEHOUSE_CONFIG`, else the file of a fresh
 * checkout.
 */
export function configPath(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? env['GATEHOUSE_CONFIG'] ?? 'config/gatehouse.yaml';
}

/** Help text of the option that most commands share. */
export const CONFIG_OPTION_HELP =
  '  --config PATH   configuration file (default: $GATEHOUSE_CONFIG, else config/gatehouse.yaml)';
