import { type ReactNode, useState } from 'react';
import { PaletteDialog } from '../../kit/palette-dialog.js';
import { textOf } from '../../text/text.js';
import type { OverlayProps } from '../overlay.js';
import { useEntries } from './use-entries.js';

const text = textOf('shell');

/** Finds a page, an adapter, a form or an action by its name, and opens or runs it. */
export function Palette({ onClose }: OverlayProps): ReactNode {
  const [query, setQuery] = useState('');
  const { entries, isBusy } = useEntries(query);
  return (
    <PaletteDialog
      title={text('palette.title')}
      fieldLabel={text('palette.field')}
      query={query}
      onQuery={setQuery}
      entries={entries}
      summary={
        entries.length === 0 && !isBusy
          ? text('palette.none', { query })
          : text('palette.count', { count: entries.length })
      }
      isBusy={isBusy}
      onClose={onClose}
    />
  );
}
