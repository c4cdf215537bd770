import type { ComponentOverrides } from './component.js';
import type { LogLevel } from './log.js';
import type { ComponentKind } from './platform-state.js';

/** Which lines of the log are written. */
export interface LogLevels {
  /** For lines of no component, and wherever a component has no level of its own. */
  readonly base: LogLevel;
  /** Levels of components, by kind and by name. */
  readonly components: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOverrides['levels']>>>;
}
