import { formatList } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';

const text = textOf('profiles');

/** Reply of `GET /console/profiles/:id/impact`. */
export interface Impact {
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  readonly restarts: readonly string[];
  readonly unchanged: number;
  /** Blocks of the settings that would change. */
  readonly settings: readonly string[];
  /** Change of the log level; null if it stays. */
  readonly level: { readonly from: string; readonly to: string } | null;
  /** Faults for which the server would refuse the profile. */
  readonly faults: readonly ImpactFault[];
}

interface ImpactFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** Describes the effect of activating a profile: "1 adapter starts. Settings change: egress." */
export function impactSentence({ starts, stops, restarts, settings, level, faults }: Impact): string {
  if (faults.length > 0) return text('impact.refused');
  const blocks = settings.filter((name) => name !== 'log' || !level);
  const effects = [
    ...(starts.length > 0 ? [text('impact.starts', { count: starts.length })] : []),
    ...(stops.length > 0 ? [text('impact.stops', { count: stops.length })] : []),
    ...(restarts.length > 0 ? [text('impact.restarts', { count: restarts.length })] : []),
    ...(blocks.length > 0 ? [text('impact.settings', { names: formatList(blocks) })] : []),
    ...(level ? [text('impact.level', level)] : []),
  ];
  return effects.length === 0 ? text('impact.none') : effects.join(' ');
}
