/** A label and a value in the style of repository badges. */
interface Badge {
  readonly label: string;
  readonly value: string;
}

/** The members of package.json that badges show. */
export interface BadgeSource {
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
}

/** Returns the badges of a package by file name. */
export function badgesOf({ version, license, engines }: BadgeSource): Readonly<Record<string, Badge>> {
  return {
    'version.svg': { label: 'version', value: version },
    'license.svg': { label: 'license', value: license },
    'node.svg': { label: 'Node.js', value: engines.node.replaceAll(' || ', ' | ') },
  };
}

/** Width of a character in SVG units, on average of the font. */
const CHARACTER_WIDTH = 7;
const PADDING = 12;

const widthOf = (text: string): number => text.length * CHARACTER_WIDTH + PADDING;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Renders a badge as an SVG file that loads nothing. */
export function renderBadge({ label, value }: Badge): string {
  const [left, right] = [widthOf(label), widthOf(value)];
  const [name, text] = [escapeXml(label), escapeXml(value)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}: ${text}">
  <title>${name}: ${text}</title>
  <rect width="${left + right}" height="20" rx="3" fill="#0b57a4"/>
  <path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#3d4650"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    <text x="${left / 2}" y="14">${name}</text>
    <text x="${left + right / 2}" y="14">${text}</text>
  </g>
</svg>
`;
}
