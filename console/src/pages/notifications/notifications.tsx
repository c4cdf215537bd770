import type { ReactNode } from 'react';
import { useSession } from '../../app/session.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Read } from '../../kit/feedback.js';
import { Page, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { NOTIFICATIONS_PATH, useNotifications } from './api.js';
import { MuteDialog } from './mute-dialog.js';
import { Mutes } from './mutes.js';
import { Receivers } from './receivers.js';

const text = textOf('notifications');

/** Renders the receivers of messages about problems, and the mutes. */
export function Notifications(): ReactNode {
  const { may } = useSession();
  const notifications = useNotifications();
  const mute = may('createMute') && (
    <DialogButton verb={text('mute')}>{(close) => <MuteDialog onClose={close} />}</DialogButton>
  );
  return (
    <Page title={text('title')} lead={text('lead')} source={{ path: NOTIFICATIONS_PATH }}>
      <Read query={notifications} what={text('what')}>
        {({ receivers, mutes }) => (
          <>
            <Panel title={text('receivers')}>
              <Receivers receivers={receivers} />
            </Panel>
            <Panel title={text('mutes')} actions={mute}>
              <Mutes mutes={mutes} />
            </Panel>
          </>
        )}
      </Read>
    </Page>
  );
}
