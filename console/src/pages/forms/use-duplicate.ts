import { useState } from 'react';
import { useLocation } from 'wouter';
import { problemOf } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import type { ImportReport } from './import-dialog.js';

const text = textOf('forms');

/** Copies forms: the operation, and whether it runs. */
interface Duplication {
  /** Reads the JSON text of a form, copies it, and opens the copy. */
  readonly duplicate: (read: () => Promise<string>) => void;
  readonly isBusy: boolean;
}

/** Copies a form by importing it again: the server finds a free name, and no number of its text loses a digit. */
export function useDuplicate(): Duplication {
  const [, navigate] = useLocation();
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const write = useWrite<ImportReport>(['/json-forms/forms']);
  const copy = async (read: () => Promise<string>) => {
    setBusy(true);
    try {
      const { data } = await write.mutateAsync({
        method: 'POST',
        path: '/json-forms/import/forms',
        json: `{"forms":[${await read()}]}`,
      });
      const copied = data.imported[0]?.created?._id;
      if (typeof copied === 'string') navigate(`/forms/${encodeURIComponent(copied)}`);
    } catch (error) {
      showToast('danger', text('duplicateFailed', { reason: problemOf(error).message }));
    }
    setBusy(false);
  };
  return { duplicate: (read) => void copy(read), isBusy };
}
