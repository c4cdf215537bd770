import type { ReactNode } from 'react';

const LANES = [140, 190, 240, 290, 340];
const LEFT = [60, 120, 240, 360, 420];
const RIGHT = [90, 165, 240, 315, 390];

/** Illustration of gatehouse: many paths lead to one gate and leave it in order. */
export function SignInIllustration(): ReactNode {
  return (
    <svg className="gh-scene" viewBox="0 0 480 480" aria-hidden="true" focusable="false">
      {LANES.map((lane, at) => (
        <g key={lane} className="gh-scene-lane">
          <path d={`M0 ${LEFT[at]} C 90 ${LEFT[at]}, 110 ${lane}, 190 ${lane}`} />
          <path d={`M290 ${lane} C 370 ${lane}, 390 ${RIGHT[at]}, 480 ${RIGHT[at]}`} />
          <circle cx="36" cy={LEFT[at]} r="5" />
          <circle cx="444" cy={RIGHT[at]} r="5" />
        </g>
      ))}
      <g className="gh-scene-gate">
        <path d="M176 112 h28 v18 h22 v-18 h28 v18 h22 v-18 h28 v256 h-128 z" />
        <path className="gh-scene-arch" d="M204 368 v-96 a36 36 0 0 1 72 0 v96 z" />
        <path
          className="gh-scene-bars"
          d="M222 368 v-128 M240 368 v-132 M258 368 v-128 M204 292 h72 M204 330 h72"
        />
      </g>
    </svg>
  );
}
