import type { ComponentChildren } from 'preact';
import { type NavigationEntry, usePageContext } from '../ui/page-context.js';
import { ActionButton } from '../ui/parts/form.js';
import { Icon } from '../ui/parts/icon.js';
import { CurrentPageLink, Section, SidebarGroup } from './sidebar-parts.js';

interface SidebarProps {
  /** In place of the links that were loaded for the page. */
  readonly links?: ComponentChildren;
  readonly section: string | undefined;
}

export function Sidebar({ links, section }: SidebarProps) {
  const { me, sidebar } = usePageContext();
  return (
    <Section.Provider value={section}>
      <nav class="rail" aria-label="Main">
        <div class="rail-top">
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
        <NavigationGroup title="People" />
        <NavigationGroup title="Settings" />
        <div class="rail-foot">
          <CurrentPageLink href="/profile" icon="gear" label={`${me.firstName} ${me.lastName}`.trim() || me.email} />
          <ActionButton to="/sign-out" class="plain" label={[<Icon key="leave" name="leave" />, 'Sign out']} />
        </div>
      </nav>
    </Section.Provider>
  );
}

/** An entry with a count of 0 is hidden. */
function NavigationGroup({ title }: { title: NavigationEntry['group'] }) {
  const { navigation, sidebar } = usePageContext();
  const entries = navigation.filter(({ group, href }) => group === title && sidebar.counts[href] !== 0);
  return (
    <SidebarGroup title={title}>
      {entries.map((entry) => (
        <CurrentPageLink {...entry} count={sidebar.counts[entry.href]} key={entry.href} />
      ))}
    </SidebarGroup>
  );
}
