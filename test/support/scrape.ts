import assert from 'node:assert/strict';
import { callUrl } from './call.js';
import type { TestServer } from './test-server.js';

/** A metric of an exposition, by its HELP and TYPE lines and its samples. */
export interface Family {
  readonly type: string;
  readonly help: string;
  /** Label names with their values. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A metrics exposition, parsed as Prometheus does. */
export interface Scrape {
  /** Values by name and labels, as they are written. */
  readonly samples: ReadonlyMap<string, number>;
  readonly families: ReadonlyMap<string, Family>;
}

/** Reads the metrics of a test server as Prometheus does. */
export async function scrape(testServer: Pick<TestServer, 'url' | 'issueToken'>): Promise<Scrape> {
  const { headers, text } = await callUrl(`${testServer.url}/metrics`, {
    method: 'GET',
    token: testServer.issueToken('admin'),
  });
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  return readExposition(text);
}

/** Parses the text format; throws for a sample without a TYPE line. */
export function readExposition(text: string): Scrape {
  const samples = new Map<string, number>();
  const families = new Map<string, Growing>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (what === 'HELP') families.set(name, { help: rest, type: '', labels: new Map() });
    else if (what === 'TYPE') families.set(name, { ...families.get(name)!, type: rest });
    else noteSample(line, samples, families);
  }
  return { samples, families };
}

type Growing = Omit<Family, 'labels'> & { readonly labels: Map<string, Set<string>> };

function noteSample(
  line: string,
  samples: Map<string, number>,
  families: ReadonlyMap<string, Growing>,
): void {
  const end = line.lastIndexOf(' ');
  samples.set(line.slice(0, end), Number(line.slice(end)));
  const [name = ''] = line.split(/[{ ]/, 1);
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  assert.ok(family, `no TYPE line for ${name}`);
  for (const [, label = '', value = ''] of line.matchAll(/[{,](\w+)="((?:[^"\\]|\\.)*)"/g)) {
    const values = family.labels.get(label) ?? new Set<string>();
    family.labels.set(label, values.add(value));
  }
}
