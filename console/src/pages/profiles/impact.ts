/** What `GET /console/profiles/:id/impact` tells. */
export interface Impact {
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  readonly restarts: readonly string[];
  readonly unchanged: number;
  /** Blocks of the settings that would say something else. */
  readonly settings: readonly string[];
  /** Of the log; null where it stays. */
  readonly level: { readonly from: string; readonly to: string } | null;
  /** What would refuse it. */
  readonly faults: readonly ImpactFault[];
}

export interface ImpactFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** What making a profile active does, in one sentence: "Activating it starts 1 adapter; changes egress." */
export function impactSentence({ starts, stops, restarts, settings, level, faults }: Impact): string {
  if (faults.length > 0) return 'The server would refuse to activate it. Nothing would change.';
  const blocks = settings.filter((name) => name !== 'log' || !level);
  const deeds = [
    ...counted('starts', starts.length),
    ...counted('stops', stops.length),
    ...counted('restarts', restarts.length),
    ...(blocks.length > 0 ? [`changes ${blocks.join(', ')}`] : []),
    ...(level ? [`logs ${level.to} instead of ${level.from}`] : []),
  ];
  return deeds.length === 0
    ? 'Activating it changes nothing that runs.'
    : `Activating it ${deeds.join('; ')}.`;
}

function counted(verb: string, count: number): readonly string[] {
  return count === 0 ? [] : [`${verb} ${count} ${count === 1 ? 'adapter' : 'adapters'}`];
}
