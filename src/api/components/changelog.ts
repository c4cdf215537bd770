/** One release of a changelog. */
export interface Release {
  readonly version: string;
  /** As it is written, for example `2026-11-21`; null when there is none. */
  readonly date: string | null;
  readonly changes: readonly string[];
}

// "## 1.2.0", "## [1.2.0] - 2026-11-21", "## v1.2.0 (2026-11-21)", "# 1.2.0 [2026-11-21]".
const HEADING = /^#{1,3}\s+\[?v?(\d[\w.+-]*|Unreleased)\]?(?:\s*[-–([]*\s*(\d{4}-\d{2}-\d{2}))?/i;
const ITEM = /^\s{0,3}[-*+]\s+(.*)$/;

/** Reads the releases of a changelog in Markdown, in its order; lines that continue an item belong to it. */
export function parseChangelog(text: string): readonly Release[] {
  const releases: { version: string; date: string | null; changes: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = HEADING.exec(line) ?? [];
    if (version !== undefined) releases.push({ version, date: date ?? null, changes: [] });
    else addLine(releases.at(-1)?.changes, line);
  }
  return releases;
}

function addLine(changes: string[] | undefined, line: string): void {
  if (!changes || line.trim() === '' || line.startsWith('#')) return;
  const item = ITEM.exec(line)?.[1];
  const last = changes.pop();
  if (item !== undefined) changes.push(...(last === undefined ? [] : [last]), item.trim());
  else changes.push(last === undefined ? line.trim() : `${last} ${line.trim()}`);
}
