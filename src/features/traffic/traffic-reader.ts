import type { PlatformStore } from '../../core/platform-state.js';
import type { Redactor } from '../../core/secret.js';
import { redactValue } from '../../http/redact-value.js';
import { actEvent, withActs } from './act-event.js';
import type { TrafficHistory } from './traffic-history.js';
import type { TimelineEvent, TrafficQuery, TrafficReport } from './traffic-view.js';

interface TrafficReaderInput {
  readonly history: Pick<TrafficHistory, 'read'>;
  readonly timelineSince: (from: number) => readonly TimelineEvent[];
  readonly store: { readonly platform: Pick<PlatformStore, 'acts'> };
  readonly redactor: Pick<Redactor, 'redact'>;
}

/**
 * Creates a function that returns the numbers of a time, and the events of that time. While the store fails, the
 * report has the latest calls and the observed state changes.
 */
export function createTrafficReader({
  history,
  timelineSince,
  store,
  redactor,
}: TrafficReaderInput): (query: TrafficQuery) => Promise<TrafficReport> {
  return async (query) => {
    const report = await history.read(query);
    const acts = await store.platform.acts(report.from).catch(() => undefined);
    const marks = withActs(timelineSince(report.from), (acts ?? []).map(actEvent)).filter(
      ({ at, adapter }) => at < report.to && isShown(adapter, query.adapter),
    );
    const isComplete = report.isComplete && acts !== undefined;
    return redactedReport({ ...report, isComplete, marks }, redactor);
  };
}

/** Returns true for an event of the server, and for events of the only adapter. */
function isShown(adapter: string | null, only: string | undefined): boolean {
  return only === undefined || adapter === null || adapter === only;
}

/** Removes secrets from the texts of a report; its cells are numbers, and there may be thousands. */
function redactedReport(report: TrafficReport, { redact }: Pick<Redactor, 'redact'>): TrafficReport {
  return {
    ...report,
    adapters: report.adapters.map((one) => ({ ...one, name: redact(one.name) })),
    flows: redactValue(report.flows, redact),
    marks: redactValue(report.marks, redact),
  };
}
