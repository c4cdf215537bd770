import { type ReactNode, useMemo, useState } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { type ApiReply, type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { Actions } from '../../kit/page.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { type ListedProfile, readObject, updateOf } from './profile.js';

interface EditProps {
  readonly reply: ApiReply<ListedProfile>;
}

/** Edits a profile as JSON; errors of the server are marked in the text. */
export function EditProfile({ reply: { data, etag } }: EditProps): ReactNode {
  const { metadata, profile } = data;
  const stored = JSON.stringify(profile, null, 2);
  const [text, setText] = useState(stored);
  const { mutate, error, isPending } = useWrite<{ readonly message: string }>(['/profiles', '/console']);
  const showToast = useToast();
  const read = readObject(text);
  const update = 'value' in read ? updateOf(profile, read.value) : {};
  const marks = useMemo(() => marksOf(error), [error]);
  const isChanged = text !== stored;
  const wanted: ApiRequest = {
    method: 'PUT',
    path: pathOf(['profiles', profile.id]),
    body: { properties: update },
    ...(etag !== undefined && { ifMatch: etag }),
  };
  const save = () => mutate(wanted, { onSuccess: ({ data: { message } }) => showToast('success', message) });
  const isReady = isChanged && Object.keys(update).length > 0;
  return (
    <>
      {metadata.isActive && (
        <Notice kind="warning" title="This profile is active: saved changes apply at once." />
      )}
      {error && <Failure problem={error} />}
      <Actions>
        {metadata.isActive ? (
          <ConfirmButton
            verb="Save"
            title={`Change the active profile ${profile.id}?`}
            isBusy={isPending}
            isDisabled={!isReady}
            onConfirm={save}
          >
            Saving changes {Object.keys(update).join(', ')} at once. Affected adapters start, stop or restart.
          </ConfirmButton>
        ) : (
          <Button kind="primary" isBusy={isPending} isDisabled={!isReady} onPress={save}>
            Save
          </Button>
        )}
        <Button isDisabled={!isChanged} onPress={() => setText(stored)}>
          Discard
        </Button>
        <CopyAsCurl wanted={wanted} />
      </Actions>
      <CodeEditor
        label={`Profile ${profile.id}`}
        value={text}
        onChange={setText}
        marks={marks}
        height="large"
      />
      <p className="gh-quiet">
        {'fault' in read ? read.fault : 'Missing members get their defaults. The id cannot be changed.'}
      </p>
    </>
  );
}

/** Returns the server's errors at their positions in the profile; its pointers refer to the request body. */
function marksOf(error: ApiProblem | null): readonly CodeMark[] {
  return (error?.errors ?? []).map(({ pointer, message }) => ({
    position: { pointer: pointer.replace(/^\/properties/, '') },
    message,
    kind: 'error',
  }));
}
