import type { ComponentType } from 'react';
import type { PageArea } from '../text/text.js';

/** A page of the console: `route.ts` in the folder of the page, listed in `app/pages.ts`. */
export interface PageRoute {
  /** Path below /ui; `:name` is a parameter. */
  readonly path: string;
  /** Messages of the page. `title` names it in the navigation, and `page.help` explains it. */
  readonly area: PageArea;
  /**
   * Second key of the shortcut that opens the page: `a` for `g` then `a`. A page without a key is reached from another
   * page, and is not in the navigation.
   */
  readonly key?: string;
  /**
   * Id of the operation that the page needs; users who may not call it do not see the page in the navigation.
   */
  readonly needs: string;
  /** Page in `docs/how-to` that explains the page, without its extension. */
  readonly guide: string;
  /** The command that does the same at a shell. */
  readonly command?: string;
  /** Loads the page when it is first opened. */
  readonly load: () => Promise<ComponentType>;
}
