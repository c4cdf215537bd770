import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { type ApiReply, pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { RequestDialog } from '../../kit/request-dialog.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { areValid, NO_TERMS, TermsFields, termsOf } from '../history/change-terms.js';
import { CHANGED_PATHS } from '../history/versions.js';
import { ImpactOf, impactPath } from './impact-view.js';
import type { Impact } from './impact.js';
import type { ListedProfile } from './profile.js';

const text = textOf('profiles');

interface ActivateProfileProps {
  readonly reply: ApiReply<ListedProfile>;
}

/** Activates a profile after its effect was shown; asks for the reason and the time to confirm it. */
export function ActivateProfile({ reply }: ActivateProfileProps): ReactNode {
  return (
    <DialogButton kind="primary" verb={text('activate')}>
      {(close) => <ActivateDialog reply={reply} onClose={close} />}
    </DialogButton>
  );
}

interface ActivateDialogProps extends ActivateProfileProps {
  readonly onClose: () => void;
}

function ActivateDialog({ reply: { data, etag }, onClose }: ActivateDialogProps): ReactNode {
  const { id } = data.profile;
  const maySeeImpact = useSession().may('getProfileImpact');
  const [terms, setTerms] = useState(NO_TERMS);
  const { data: impact } = useRead<Impact>(impactPath(id), { enabled: maySeeImpact });
  const showToast = useToast();
  const isRefused = (impact?.faults.length ?? 0) > 0;
  return (
    <RequestDialog
      title={text('activate.title', { id })}
      verb={text('activate')}
      request={{
        method: 'PUT',
        path: pathOf(['profiles', id, 'active'], termsOf(terms)),
        ...(etag !== undefined && { ifMatch: etag }),
      }}
      affects={CHANGED_PATHS}
      isReady={!isRefused && areValid(terms)}
      onDone={() => {
        onClose();
        showToast('success', text('activated', { id }));
      }}
      onClose={onClose}
    >
      {maySeeImpact ? <ImpactOf id={id} /> : <p>{text('activate.effect')}</p>}
      {!isRefused && <TermsFields entry={terms} onChange={setTerms} />}
    </RequestDialog>
  );
}
