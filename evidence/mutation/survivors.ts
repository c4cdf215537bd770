import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { inOneLine, type Survivor } from './outcome.js';

/** Formats survivors as readable lines, each with its place in the source. */
export function survivorLines(project: string, survivors: readonly Survivor[]): string {
  return survivors.map((survivor) => `${lineOf(project, survivor)}\n`).join('');
}

function lineOf(
  project: string,
  { file, start, mutator, original, replacement, isUncovered }: Survivor,
): string {
  const payload = JSON.parse(readFileSync(join(project, `${file}.map`), 'utf8')) as SourceMapPayload;
  const found = new SourceMap(payload).findEntry(start.line - 1, start.column - 1);
  const line = 'originalLine' in found ? found.originalLine + 1 : '?';
  const place = `${file.replace(/^dist\/|\.js$/g, '')}.ts:${line}`;
  return [
    place,
    isUncovered ? `${mutator}, no test comes by` : mutator,
    short(original),
    '=>',
    short(replacement),
  ].join('  ');
}

function short(text: string): string {
  const line = inOneLine(text);
  return line.length > 160 ? `${line.slice(0, 160)} ...` : line;
}
