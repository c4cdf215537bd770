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

export interface ImpactFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * Describes the effect of activating a profile in one sentence: "Activation starts 1 adapter; changes
 * egress."
 */
export function impactSentence({ starts, stops, restarts, settings, level, faults }: Impact): string {
  if (faults.length > 0) return 'The server would refuse to activate this profile. Nothing would change.';
  const blocks = settings.filter((name) => name !== 'log' || !level);
  const effects = [
    ...adapterCount('starts', starts.length),
    ...adapterCount('stops', stops.length),
    ...adapterCount('restarts', restarts.length),
    ...(blocks.length > 0 ? [`changes ${blocks.join(', ')}`] : []),
    ...(level ? [`logs ${level.to} instead of ${level.from}`] : []),
  ];
  return effects.length === 0
    ? 'Activation changes nothing that is running.'
    : `Activation ${effects.join('; ')}.`;
}

function adapterCount(verb: string, count: number): readonly string[] {
  return count === 0 ? [] : [`${verb} ${count} ${count === 1 ? 'adapter' : 'adapters'}`];
}
