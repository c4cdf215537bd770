import type { Transport, ComponentOverrides } from '../../core/component.js';
import { type LogLevels } from '../../core/log-levels.js';
import { LOG_LEVELS, type LogFields, type LogLevel } from '../../core/log.js';
import type { ComponentKind } from '../../core/platform-state.js';

/** Maximum ranks of written lines: of each output, and of any output. */
export type Limits = Readonly<Record<Transport | 'any', number>>;

/** Returns the rank of a level; 0 is the most severe. */
export function rankOf(level: LogLevel): number {
  return LOG_LEVELS.indexOf(level);
}

/** Decides which lines are written. Called for every line, written or not, so it allocates nothing. */
export class LevelGate {
  readonly #outputs: readonly Transport[];
  #base: Limits;
  #components: Readonly<Record<ComponentKind, ReadonlyMap<unknown, Limits>>>;

  constructor(outputs: readonly Transport[], level: LogLevel) {
    this.#outputs = outputs;
    this.#base = this.#limits(level, {});
    this.#components = { adapter: new Map(), application: new Map() };
  }

  set({ base, components }: LogLevels): void {
    const limitsByName = (kind: ComponentKind): ReadonlyMap<string, Limits> =>
      new Map([...components[kind]].map(([name, levels]) => [name, this.#limits(base, levels)]));
    this.#base = this.#limits(base, {});
    this.#components = { adapter: limitsByName('adapter'), application: limitsByName('application') };
  }

  /**
   * Returns the limits for a line with these fields, in a log with the fields `common`. The line's own
   * component takes precedence.
   */
  limitsOf(fields: LogFields | undefined, common: LogFields): Limits {
    const { adapter, application } = this.#components;
    if (adapter.size === 0 && application.size === 0) return this.#base;
    return this.#find('adapter', fields, common) ?? this.#find('application', fields, common) ?? this.#base;
  }

  #find(kind: ComponentKind, fields: LogFields | undefined, common: LogFields): Limits | undefined {
    const named = this.#components[kind];
    return named.size === 0 ? undefined : named.get(memberOf(fields, kind) ?? common[kind]);
  }

  #limits(base: LogLevel, levels: ComponentOverrides['levels']): Limits {
    const limit = (name: Transport): number =>
      this.#outputs.includes(name) ? rankOf(levels[name] ?? base) : -1;
    const [console, file, syslog] = [limit('console'), limit('file'), limit('syslog')];
    return { console, file, syslog, any: Math.max(console, file, syslog) };
  }
}

/** Reads a field; a getter or a proxy trap may throw, but a log call must not. */
function memberOf(fields: LogFields | undefined, name: string): unknown {
  try {
    return fields?.[name];
  } catch {
    return undefined;
  }
}
