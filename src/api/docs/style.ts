import { createHash } from 'node:crypto';

/** Style sheet of the page, for narrow and wide screens, light and dark, without images. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --quiet: #515a64; --line: #d0d7de; --tint: #f3f5f7; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --text: #e6e9ec; --quiet: #a9b2bb; --line: #3a424b; --tint: #1e2329; --link: #79b8ff; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.5em 0 .5em; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
h3 { font-size: 1.05rem; }
.route { display: block; font: 600 1rem/1.5 ui-monospace, monospace; }
.quiet { color: var(--quiet); }
nav ul { columns: 16rem; padding-left: 1.25rem; }
section section { border-top: 1px solid var(--line); }
details { margin: .5rem 0 1.5rem; }
summary { cursor: pointer; color: var(--link); min-height: 1.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9rem; }
pre { background: var(--tint); border: 1px solid var(--line); padding: .75rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
caption { text-align: left; color: var(--quiet); }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
@media (max-width: 40rem) {
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; left: -99rem; }
  tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  th, td { border: 0; padding: .1rem 0; }
}
`;

/** Source of a content security policy that allows only this style sheet. */
export const STYLE_SOURCE = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
