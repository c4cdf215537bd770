import type { ReactNode } from 'react';
import { pathOf, request } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { textOf } from '../../text/text.js';
import { useDuplicate } from './use-duplicate.js';

const text = textOf('forms');

/** Copies a stored form, and opens the copy. */
export function DuplicateButton({ id }: { readonly id: string }): ReactNode {
  const { duplicate, isBusy } = useDuplicate();
  const read = async () => (await request({ path: pathOf(['json-forms', 'forms', id]) })).text;
  return (
    <Button isBusy={isBusy} onPress={() => duplicate(read)}>
      {text('duplicate')}
    </Button>
  );
}
