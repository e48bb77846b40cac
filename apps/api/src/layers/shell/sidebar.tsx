import type { ComponentChildren } from 'preact';
import { usePageContext } from '../ui/page-context.js';
import { ActionButton } from '../ui/parts/form.js';
import { Icon } from '../ui/parts/icon.js';
import { CurrentPageLink, NavigationLinks } from './sidebar-parts.js';

export const SETTINGS = '/settings';

/** `links` replace those that were loaded for the page. */
export function Sidebar({ links }: { links: ComponentChildren }) {
  const { me, navigation, sidebar } = usePageContext();
  const settings = navigation.find(({ href }) => href.startsWith(SETTINGS))!;
  return (
    <nav class="rail" aria-label="Main">
      <div class="rail-top row nowrap">
        <a class="brand" href="/inbox">
          <Icon name="box" />
          Deskwire
        </a>
        <label class="menu-toggle">
          <input type="checkbox" class="unseen" aria-label="Show the navigation" />
          <Icon name="menu" />
          Menu
        </label>
      </div>
      {links ?? sidebar.links}
      <div class="rail-group">
        <NavigationLinks group="People" />
        <CurrentPageLink href={settings.href} under={SETTINGS} icon="gear" label="Settings" />
      </div>
      <div class="rail-foot">
        <CurrentPageLink href="/profile" icon="person" label={`${me.firstName} ${me.lastName}`.trim() || me.email} />
        <ActionButton to="/sign-out" class="plain" label={[<Icon key="leave" name="leave" />, 'Sign out']} />
      </div>
    </nav>
  );
}
