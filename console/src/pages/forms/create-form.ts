import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import type { FormDraft } from '../../design/draft.js';

/** Reply of `POST /json-forms/forms`: a name that is taken is not an HTTP error. */
interface Created {
  readonly status: string;
  readonly message?: string;
  readonly doc?: { readonly id: string };
}

/** Creates forms, and opens the designer of the new form. */
export function useCreateForm(): {
  readonly create: (draft: Partial<FormDraft>) => void;
  readonly isBusy: boolean;
  readonly problem: ApiProblem | undefined;
} {
  const [, navigate] = useLocation();
  const [refused, setRefused] = useState<ApiProblem>();
  const send = useWrite<Created>(['/json-forms/forms']);
  const create = (draft: Partial<FormDraft>) => {
    setRefused(undefined);
    send.mutate(
      { method: 'POST', path: '/json-forms/forms', body: draft },
      {
        onSuccess: ({ data: { doc, message } }) => {
          if (doc) navigate(`/forms/${encodeURIComponent(doc.id)}`);
          else setRefused(new ApiProblem(200, { code: 'form_name_taken', detail: message }));
        },
      },
    );
  };
  return { create, isBusy: send.isPending, problem: send.error ?? refused };
}
