import { type ReactNode, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import {
  type AdapterStatusView,
  type OverviewReply,
  TRAFFIC_EVENT,
  type TrafficEvent,
  type TrafficReply,
} from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { HeatLegend } from '../../kit/charts.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Empty, Read } from '../../kit/feedback.js';
import { ImportDialog } from '../../kit/import-dialog.js';
import { Page } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { RemovedRecords } from '../history/removed-records.js';
import { timeLabel } from '../traffic/time-label.js';
import { TrafficStrip } from '../traffic/traffic-strip.js';
import { useTraffic } from '../traffic/use-traffic.js';
import { type ActionReply, AFFECTED_PATHS, useReplyToast } from './adapter-request-dialog.js';
import { AdapterTable } from './adapter-table.js';
import { withLiveRates } from './status.js';

const text = textOf('adapters');

const PATH = '/console/overview';
/** Interval between reads of the traffic of the shown adapters, in milliseconds. */
const TRAFFIC_MS = 60_000;

/** Renders all adapters: their state, their traffic over time, and actions. */
export function Adapters(): ReactNode {
  const { may } = useSession();
  const overview = useRead<OverviewReply>(PATH);
  const { time, whole } = useTraffic({ limit: 0 });
  const { traffic, onShow } = useTrafficOfRows(time.query);
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  const showReply = useReplyToast();
  const [, navigate] = useLocation();
  const importing = may('importAdapter') && (
    <DialogButton verb={text('import')}>
      {(close) => (
        <ImportDialog<ActionReply>
          area="adapters"
          path="/adapters/import"
          affects={AFFECTED_PATHS}
          onDone={(reply) => {
            showReply(reply);
            close();
          }}
          onClose={close}
        />
      )}
    </DialogButton>
  );
  const registering = may('createAdapter') && (
    <Button kind="primary" onPress={() => navigate('/new-adapter')}>
      {text('register')}
    </Button>
  );
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={importing}
      primary={registering}
      source={{ path: PATH }}
    >
      <Read query={overview} what={text('what')}>
        {({ adapters }) => (
          <>
            {may('getTraffic') && adapters.length > 0 && <TrafficStrip time={time} whole={whole} />}
            <AdapterTable
              adapters={withLiveRates(adapters, live)}
              traffic={traffic}
              time={timeLabel(time)}
              onShow={onShow}
              empty={
                <Empty
                  title={text('none')}
                  actions={
                    <>
                      {importing}
                      {registering}
                    </>
                  }
                >
                  {text('noneHelp')}
                </Empty>
              }
            />
          </>
        )}
      </Read>
      <HeatLegend />
      <RemovedRecords kind="adapter" />
    </Page>
  );
}

/** Reads the traffic of the adapters on the current page of the table. */
function useTrafficOfRows(query: Readonly<Record<string, string>>) {
  const { may } = useSession();
  const [names, setNames] = useState('');
  const onShow = useCallback((rows: readonly AdapterStatusView[]) => {
    setNames(namesOf(rows).join(','));
  }, []);
  const path = pathOf(['console', 'traffic'], { ...query, limit: 0, adapters: names });
  const { data } = useRead<TrafficReply>(path, {
    everyMs: TRAFFIC_MS,
    enabled: may('getTraffic') && names !== '',
    isSimilar: () => true,
  });
  return { traffic: data, onShow };
}

/** Returns names in an order of their own: the order of the rows may change every two seconds. */
function namesOf(rows: readonly AdapterStatusView[]): readonly string[] {
  return rows.map(({ name }) => name).sort();
}
