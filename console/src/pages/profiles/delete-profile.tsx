import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { type ApiReply, pathOf } from '../../api/request.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { RequestDialog } from '../../kit/request-dialog.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { areValid, NO_TERMS, TermsFields, termsOf } from '../history/change-terms.js';
import type { ListedProfile } from './profile.js';

const text = textOf('profiles');

interface DeleteProfileProps {
  readonly reply: ApiReply<ListedProfile>;
}

/** Deletes a profile that is not active, and asks for the reason. */
export function DeleteProfile({ reply }: DeleteProfileProps): ReactNode {
  return (
    <DialogButton verb={text('delete')}>
      {(close) => <DeleteDialog reply={reply} onClose={close} />}
    </DialogButton>
  );
}

interface DeleteDialogProps extends DeleteProfileProps {
  readonly onClose: () => void;
}

function DeleteDialog({ reply: { data, etag }, onClose }: DeleteDialogProps): ReactNode {
  const { id } = data.profile;
  const [terms, setTerms] = useState(NO_TERMS);
  const [, navigate] = useLocation();
  const showToast = useToast();
  return (
    <RequestDialog
      title={text('delete.title', { id })}
      verb={text('delete')}
      request={{
        method: 'DELETE',
        path: pathOf(['profiles', id], termsOf(terms)),
        ...(etag !== undefined && { ifMatch: etag }),
      }}
      affects={['/profiles']}
      isDangerous
      isReady={areValid(terms)}
      onDone={() => {
        showToast('success', text('deleted', { id }));
        navigate('/profiles');
      }}
      onClose={onClose}
    >
      <p>{text('delete.effect')}</p>
      <TermsFields entry={terms} onChange={setTerms} canWait={false} />
    </RequestDialog>
  );
}
