import type { ReactNode } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import { Button } from '../kit/button.js';
import { Dialog } from '../kit/dialog.js';
import { Facts } from '../kit/facts.js';
import { OuterLink } from '../kit/link.js';
import { Actions, Stack } from '../kit/page.js';
import { chooseFirstSteps } from '../pages/overview/first-steps-choice.js';
import { mayTakeFirstSteps } from '../pages/overview/first-steps.js';
import { type PlainKeyOf, textOf } from '../text/text.js';
import type { OverlayProps } from './overlay.js';
import { useSession } from './session.js';

const text = textOf('help');
const pageNames = textOf('shell');

/** Help for the pages at one path. */
interface PageHelp {
  readonly path: string;
  readonly help: PlainKeyOf<'help'>;
  /** Message of the title of the page. */
  readonly page: PlainKeyOf<'shell'>;
  /** Page in `docs/how-to`, without its extension. */
  readonly guide: string;
  /** The command that does the same at a shell. */
  readonly command?: string;
}

const PAGES: readonly PageHelp[] = [
  { path: '/', help: 'overview', page: 'overview', guide: 'use-the-console' },
  { path: '/adapters/:name', help: 'adapter', page: 'adapters', guide: 'manage-adapters-through-the-api' },
  {
    path: '/adapters',
    help: 'adapters',
    page: 'adapters',
    guide: 'register-an-adapter',
    command: 'gatehouse check',
  },
  { path: '/health', help: 'health', page: 'health', guide: 'monitor' },
  { path: '/log', help: 'log', page: 'log', guide: 'collect-logs-and-traces' },
  { path: '/notifications', help: 'notifications', page: 'notifications', guide: 'send-notifications' },
  { path: '/limits', help: 'limits', page: 'limits', guide: 'limit-callers' },
  { path: '/forms/:id', help: 'designer', page: 'forms', guide: 'store-a-form' },
  { path: '/forms', help: 'forms', page: 'forms', guide: 'store-a-form', command: 'gatehouse forms' },
  { path: '/yang', help: 'yang', page: 'yang', guide: 'convert-yang', command: 'gatehouse yang' },
  { path: '/tasks', help: 'tasks', page: 'tasks', guide: 'give-a-form-to-a-person' },
  {
    path: '/new-adapter',
    help: 'newAdapter',
    page: 'adapters',
    guide: 'register-an-adapter',
    command: 'gatehouse check',
  },
  { path: '/new-profile', help: 'newProfile', page: 'profiles', guide: 'manage-profiles' },
  {
    path: '/profiles/:id?',
    help: 'profiles',
    page: 'profiles',
    guide: 'manage-profiles',
    command: 'gatehouse profile',
  },
  {
    path: '/deprecations',
    help: 'deprecations',
    page: 'deprecations',
    guide: 'find-callers-of-deprecated-operations',
  },
  { path: '/secrets', help: 'secrets', page: 'secrets', guide: 'use-secrets', command: 'gatehouse secrets' },
  { path: '/access', help: 'access', page: 'access', guide: 'control-access', command: 'gatehouse can' },
  { path: '/audit', help: 'audit', page: 'audit', guide: 'use-the-audit-trail', command: 'gatehouse audit' },
  {
    path: '/api/:operation?',
    help: 'api',
    page: 'api',
    guide: 'call-an-orchestrator',
    command: 'gatehouse openapi',
  },
  { path: '/rest', help: 'rest', page: 'rest', guide: 'call-an-orchestrator' },
];

/** Explains the current page, and names its documentation and its command. */
export function Help({ onClose }: OverlayProps): ReactNode {
  const [location] = useLocation();
  const { parser } = useRouter();
  const { may } = useSession();
  const found = PAGES.find(({ path }) => matchRoute(parser, path, location)[0]) ?? PAGES[0];
  if (!found) return null;
  const { help, page, guide, command } = found;
  const showFirstSteps = () => {
    chooseFirstSteps('shown');
    onClose();
  };
  return (
    <Dialog title={text('title', { page: pageNames(page) })} isOpen onClose={onClose}>
      <Stack>
        <p>{text(help)}</p>
        {help === 'overview' && mayTakeFirstSteps(may) && (
          <Actions>
            <Button onPress={showFirstSteps}>{text('firstSteps')}</Button>
          </Actions>
        )}
        <Facts
          facts={{
            [text('guide')]: <OuterLink to={`/docs/guide/how-to/${guide}`}>{text('guide.link')}</OuterLink>,
            ...(command !== undefined && { [text('command')]: <code>{command} --help</code> }),
            ...(may('getDocs') && {
              [text('reference')]: <OuterLink to="/docs">{text('reference.link')}</OuterLink>,
            }),
            [text('keys')]: text('keys.hint'),
          }}
        />
      </Stack>
    </Dialog>
  );
}
