import type { LocatedFault } from '../core/fault.js';
import type { CorsSettings } from '../settings/settings.js';

/** Returns the faults of `server.cors`, relative to the main file: origins that no browser sends. */
export function corsFaults({ origins = [] }: Partial<CorsSettings> = {}): readonly LocatedFault[] {
  return origins.flatMap((entry, index) => {
    const sent = URL.canParse(entry) ? new URL(entry).origin : undefined;
    if (sent === entry) return [];
    return [
      {
        pointer: `/server/cors/origins/${index}`,
        code: 'cors',
        message: `matches no page: browsers ${sent === undefined ? 'send no such origin' : `send ${sent}`}`,
        fix: `Write ${sent ?? 'an origin such as https://portal.example'}.`,
      },
    ];
  });
}
