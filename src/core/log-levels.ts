import type { ComponentOverrides } from './component.js';
import type { LogLevel } from './log.js';
import type { ComponentKind } from './platform-state.js';

/** Levels that decide which log lines are written. */
export interface LogLevels {
  /** Level of lines without a component, and of components without a level. */
  readonly base: LogLevel;
  /** Levels of components, by kind and by name. */
  readonly components: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOverrides['levels']>>>;
}
