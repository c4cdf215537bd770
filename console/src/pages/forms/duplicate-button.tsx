import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { problemOf } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import type { ImportReport } from './import-dialog.js';

const text = textOf('forms');

/**
 * Copies a stored form by importing it again: the server finds a free name, and no number loses a digit. Opens
 * the copy.
 */
export function DuplicateButton({ id }: { readonly id: string }): ReactNode {
  const [, navigate] = useLocation();
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const write = useWrite<ImportReport>(['/json-forms/forms']);
  const copy = async () => {
    setBusy(true);
    try {
      const { text: json } = await request({ path: pathOf(['json-forms', 'forms', id]) });
      const { data } = await write.mutateAsync({
        method: 'POST',
        path: '/json-forms/import/forms',
        json: `{"forms":[${json}]}`,
      });
      const copied = data.imported[0]?.created?._id;
      if (typeof copied === 'string') navigate(`/forms/${encodeURIComponent(copied)}`);
    } catch (error) {
      showToast('danger', text('duplicateFailed', { reason: problemOf(error).message }));
    }
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onPress={() => void copy()}>
      {text('duplicate')}
    </Button>
  );
}
